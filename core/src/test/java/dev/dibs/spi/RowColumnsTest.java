package dev.dibs.spi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.table.QueueTable;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;

final class RowColumnsTest {

    @Test
    void uuidsFollowEachOtherAsDatabasesCompareThem() {
        var id = DSL.field(DSL.name("id"), UUID.class);
        var columns = RowColumns.of(
                QueueTable.of(DSL.table(DSL.name("jobs")), id, DSL.field(DSL.name("body"), String.class)));
        var inOrder = Stream.of(
                        "00000000-0000-0000-0000-000000000001",
                        "00000000-0000-0000-8000-000000000000",
                        "7fffffff-0000-0000-0000-000000000000",
                        "80000000-0000-0000-0000-000000000000",
                        "ffffffff-ffff-ffff-7fff-ffffffffffff",
                        "ffffffff-ffff-ffff-ffff-ffffffffffff")
                .map(UUID::fromString)
                .toList();
        var rows = Stream.of(4, 0, 5, 2, 1, 3)
                .<Record>map(at -> DSL.using(SQLDialect.DEFAULT).newRecord(id).values(inOrder.get(at)))
                .toList();

        assertThat(columns.inClaimOrder(rows))
                .extracting(row -> (Object) row.get(id))
                .isEqualTo(List.<Object>copyOf(inOrder));
    }
}

package dev.dibs.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.table;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jooq.tools.jdbc.MockConnection;
import org.jooq.tools.jdbc.MockResult;
import org.junit.jupiter.api.Test;

/** What is sent for a statement whose text is kept is what jOOQ would have sent. */
class KeptTextsTest {

    private static final Field<Integer> ID = field("id", Integer.class);
    private static final Field<String> NAME = field("name", String.class);

    private final List<String> sent = new ArrayList<>();
    private final DSLContext dsl = DSL.using(
            new MockConnection(statement -> {
                sent.add(statement.sql() + " " + Arrays.deepToString(statement.bindings()));
                return new MockResult[] {
                    new MockResult(1, DSL.using(SQLDialect.POSTGRES).newResult(ID))
                };
            }),
            SQLDialect.POSTGRES);
    private final KeptTexts texts = new KeptTexts();

    @Test
    void theSecondStatementOfAKindHasTheValuesOfItsOwn() {
        fetch(1);
        fetch(2);
        statement(2).fetch();

        assertThat(sent.get(1)).isEqualTo(sent.get(2));
    }

    @Test
    void theFirstStatementOfAKindIsAsJooqWritesIt() {
        fetch(1);
        statement(1).fetch();

        assertThat(sent.get(0)).isEqualTo(sent.get(1));
    }

    @Test
    void aStatementIsWrittenOnceForItsKind() {
        fetch(1);
        texts.rows(dsl, "kind", Map.of("id", 2, "ids", new Integer[] {2}), () -> {
            throw new AssertionError("written again");
        });

        assertThat(sent).hasSize(2);
    }

    @Test
    void statementsOfTwoKindsHaveTwoTexts() {
        fetch(1);
        texts.execute(
                dsl,
                "other",
                Map.of("id", 3),
                () -> dsl.deleteFrom(table("t")).where(ID.eq(KeptTexts.given("id", SQLDataType.INTEGER, 1))));

        assertThat(sent).last().asString().isEqualTo("delete from t where id = ? [3]");
    }

    private void fetch(int id) {
        texts.rows(dsl, "kind", Map.of("id", id, "ids", new Integer[] {id}), () -> statement(id));
    }

    // Of each sort of parameter one: given once, given twice, given as an array, the same always, and written into the
    // text.
    private Select<?> statement(int id) {
        var given = KeptTexts.given("id", SQLDataType.INTEGER, id);
        var ids = KeptTexts.given("ids", SQLDataType.INTEGER.getArrayDataType(), new Integer[] {id});
        return dsl.select(ID)
                .from(table("t"))
                .where(NAME.eq("always"))
                .and(ID.eq(given))
                .and(ID.ne(inline(9)))
                .and(ID.in(select(given.plus(1))))
                .and(ID.eq(DSL.any(ids)))
                .limit(5);
    }
}

package dev.dibs.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.QueryPart;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

final class TimeColumnTest {

    private static final Field<Long> DUE = DSL.field(DSL.name("due"), SQLDataType.BIGINT);

    private final DSLContext dsl = DSL.using(SQLDialect.DEFAULT);
    private final TimeColumn column = TimeColumn.of(DUE);
    private final Now now = TimeSource.host(() -> Instant.parse("2026-03-01T12:00:00.123456789Z"))
            .now();

    @Test
    void aColumnOfAnUnknownTypeIsRefused() {
        var days = DSL.field(DSL.name("due"), SQLDataType.LOCALDATE);

        assertThatThrownBy(() -> TimeColumn.of(days))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the column \"due\" holds times as LocalDate, which is not known; use a bigint of microseconds"
                                + " since 1970");
    }

    @Test
    void aTimeIsReachedAtItsVeryMicrosecond() {
        assertThat(inlined(column.reached(now))).isEqualTo("\"due\" <= 1772366400123456");
    }

    @Test
    void thisMomentIsWrittenAsTheClockReadsIt() {
        assertThat(inlined(column.value(now))).isEqualTo("1772366400123456");
    }

    @Test
    void aMomentToComeIsNeverWrittenEarlierThanAsked() {
        assertThat(inlined(column.value(now, Duration.ofNanos(1_001)))).isEqualTo("(1772366400123456 + 2)");
    }

    @Test
    void aMomentAfterNoDelayIsThisMoment() {
        assertThat(column.value(now, Duration.ZERO)).isEqualTo(column.value(now));
    }

    @Test
    void anInstantIsWrittenInMicroseconds() {
        assertThat(inlined(column.value(Instant.EPOCH.plusSeconds(1)))).isEqualTo("1000000");
    }

    @Test
    void noTimeIsWrittenAsANullOfTheColumnsType() {
        assertThat(inlined(column.none())).isEqualTo("cast(null as bigint)");
    }

    @Test
    void whatWasReadIsAnInstantAgain() {
        assertThat(column.instant(1_000_000L)).isEqualTo(Instant.EPOCH.plusSeconds(1));
    }

    @Test
    void aNullThatWasReadIsNoInstant() {
        assertThat(column.instant(null)).isNull();
    }

    private String inlined(QueryPart part) {
        return dsl.renderInlined(part);
    }
}

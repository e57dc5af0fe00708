package dev.dibs.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.jooq.Converter;
import org.jooq.DSLContext;
import org.jooq.DataType;
import org.jooq.Field;
import org.jooq.QueryPart;
import org.jooq.SQLDialect;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                        "the column \"due\" holds times as LocalDate, which is not known; use a bigint (of microseconds"
                                + " since 1970, or see TimeFields), a date and time such as LOCALDATETIME or OFFSETDATETIME,"
                                + " or on SQLite a text");
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
        assertThat(inlined(column.value(now, Duration.ofNanos(1_001)))).isEqualTo("1772366400123458");
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
        assertThat(inlined(column.none())).isEqualTo("null");
    }

    @Test
    void whatWasReadIsAnInstantAgain() {
        assertThat(column.instant(1_000_000L)).isEqualTo(Instant.EPOCH.plusSeconds(1));
    }

    @Test
    void aNullThatWasReadIsNoInstant() {
        assertThat(column.instant(null)).isNull();
    }

    @Test
    void aConverterToInstantTellsInWhichUnitItCounts() {
        assertThat(inlined(TimeColumn.of(TimeFields.seconds(DUE)).value(now))).isEqualTo("1772366400");
        assertThat(inlined(TimeColumn.of(TimeFields.milliseconds(DUE)).value(now)))
                .isEqualTo("1772366400123");
        assertThat(inlined(TimeColumn.of(DUE.convert(Instant.class, Micros::at, Micros::of))
                        .value(now)))
                .isEqualTo("1772366400123456");
    }

    @Test
    void aConverterOfAnotherUnitIsRefused() {
        var minutes = DUE.convert(Converter.ofNullable(
                Long.class,
                Instant.class,
                count -> Instant.ofEpochSecond(60 * count),
                instant -> instant.getEpochSecond() / 60));

        assertThatThrownBy(() -> TimeColumn.of(minutes))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("holds times as Instant made of Long, which is not known");
    }

    @Test
    void aConverterThatMeansAnotherZoneThanUtcIsRefused() {
        var paris = DSL.field(DSL.name("due"), SQLDataType.LOCALDATETIME(6))
                .convert(Converter.ofNullable(
                        LocalDateTime.class,
                        Instant.class,
                        local -> local.toInstant(ZoneOffset.ofHours(1)),
                        instant -> LocalDateTime.ofInstant(instant, ZoneOffset.ofHours(1))));

        assertThatThrownBy(() -> TimeColumn.of(paris)).hasMessageContaining("Instant made of LocalDateTime");
    }

    @Test
    void aCoarseColumnIsCutForThisMomentAndRoundedUpForOneToCome() {
        var seconds = TimeColumn.of(TimeFields.seconds(DUE));

        assertThat(inlined(seconds.value(now))).isEqualTo("1772366400");
        assertThat(inlined(seconds.value(now, Duration.ofNanos(1)))).isEqualTo("1772366401");
        assertThat(inlined(seconds.value(now, Duration.ofSeconds(1)))).isEqualTo("1772366402");
        assertThat(inlined(seconds.value(Instant.EPOCH.plusMillis(1_999)))).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "POSTGRES ; UTC   ; cast('2026-03-01 12:00:00.123456' as timestamp)",
                "POSTGRES ; ZONED ; cast('2026-03-01 12:00:00.123456+00:00' as timestamptz)",
                "MYSQL    ; UTC   ; (timestamp '1970-01-01 00:00:00' + interval (1772366400123456) microsecond)",
                "MYSQL    ; ZONED ; concat((timestamp '1970-01-01 00:00:00' + interval (1772366400123456) microsecond), '+00:00')",
                "MARIADB  ; UTC   ; (timestamp '1970-01-01 00:00:00' + interval (1772366400123456) microsecond)",
                "MARIADB  ; ZONED ; from_unixtime((1772366400123456) * 0.000001)",
                "SQLITE   ; UTC   ; (strftime('%Y-%m-%d %H:%M:%S', (1772366400123456) / 1000000, 'unixepoch') || printf('.%06d', (1772366400123456) % 1000000))",
            },
            quoteCharacter = '"')
    void anInstantIsWrittenByTheDatabaseItself(SQLDialect database, TimeKind kind, String sql) {
        assertThat(DSL.using(database).renderInlined(of(kind).value(now))).isEqualTo(sql);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "POSTGRES ; UTC   ; (case when isfinite(due) then cast(extract(epoch from due) * 1000000 as bigint) end)",
                "POSTGRES ; ZONED ; (case when isfinite(due) then cast(extract(epoch from due) * 1000000 as bigint) end)",
                "MYSQL    ; UTC   ; timestampdiff(microsecond, '1970-01-01', due)",
                "MARIADB  ; ZONED ; cast(unix_timestamp(due) * 1000000 as signed)",
                "SQLITE   ; UTC   ; (strftime('%s', substr(due, 1, 19)) * 1000000 + cast(substr(substr(due, 21) || '000000', 1, 6) as integer))",
            },
            quoteCharacter = '"')
    void aColumnIsReadAsMicroseconds(SQLDialect database, TimeKind kind, String sql) {
        assertThat(DSL.using(database, new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER))
                        .renderInlined(of(kind).read()))
                .isEqualTo(sql);
    }

    @Test
    void aDelayByTheDatabasesClockThatEndsAfterTheTypeIsRefused() {
        var later = TimeColumn.of(TimeFields.timestamp(DSL.field(DSL.name("due"), SQLDataType.LOCALDATETIME(6))))
                .value(TimeSource.database().now(), Micros.LONGEST);

        assertThatThrownBy(() -> DSL.using(SQLDialect.MYSQL).render(later))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("it lies between 1970-01-01T00:00:01Z and 2038-01-19T03:14:07.999999Z");
        assertThatCode(() -> DSL.using(SQLDialect.POSTGRES).render(later)).doesNotThrowAnyException();
    }

    @Test
    void aTextHoldsTimesOnSqliteOnly() {
        var text = TimeColumn.of(DSL.field(DSL.name("due"), SQLDataType.CLOB));

        assertThatThrownBy(() -> text.requireServed(SQLDialect.POSTGRES))
                .hasMessageContaining("texts hold times on SQLite only");
        assertThatCode(() -> text.requireServed(SQLDialect.SQLITE)).doesNotThrowAnyException();
    }

    private static TimeColumn of(TimeKind kind) {
        var type = kind == TimeKind.ZONED ? SQLDataType.INSTANT(6) : SQLDataType.LOCALDATETIME(6);
        return TimeColumn.of(DSL.field(DSL.name("due"), (DataType<?>) type));
    }

    private String inlined(QueryPart part) {
        return dsl.renderInlined(part);
    }
}

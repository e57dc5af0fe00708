package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.name;

import dev.dibs.spi.Claim;
import dev.dibs.spi.ClaimRequest;
import dev.dibs.spi.JdbcTransaction;
import dev.dibs.spi.OpenTransaction;
import dev.dibs.table.QueueTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.jooq.ExecuteListener;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a claim with a bound finds, what is left to full looks, and what holds the bound up. */
final class BoundedClaimTest {

    private static final int LIMIT = 5;
    private static final Duration LEASE = Duration.ofMinutes(10);

    /** Claims of {@link #LIMIT} rows; after so many there is a bound, if nobody holds it up. */
    private static final int SOME = 4;

    private final Jobs jobs = Jobs.create(6);
    private final Claim claim = Jobs.bounded();
    private final JdbcTransaction transactions = JdbcTransaction.ofDriver();
    private OpenTransaction writer;

    @BeforeEach
    void beginAWriter() {
        writer = transactions.open(jobs.dsl());
    }

    @AfterEach
    void close() {
        writer.close();
        jobs.close();
    }

    @Test
    void aLateCommitIsFoundByTheNextClaim() {
        Jobs.insert(writer.dsl(), "late", 1);
        work(SOME);

        writer.commit();

        assertThat(claimed()).contains("late");
    }

    @Test
    void lateCommitsThatFillSeveralClaimsAreAllFound() {
        Jobs.insert(writer.dsl(), "late", 4 * LIMIT);
        work(SOME);
        jobs.insert("more", 10 * LIMIT);

        writer.commit();

        assertThat(claimed(10)).filteredOn("late"::equals).hasSize(4 * LIMIT);
    }

    @Test
    void lateCommitsAmongClaimsThatGoOnAreAllFound() {
        var writers = new ArrayList<OpenTransaction>();
        var found = new ArrayList<String>();
        for (int round = 0; round < 12; round++) {
            var late = transactions.open(jobs.dsl());
            writers.add(late);
            Jobs.insert(late.dsl(), "late", 2);
            jobs.insert("soon", LIMIT);
            found.addAll(claimed());
            if (writers.size() == 3) {
                commit(writers.remove(0));
            }
        }
        writers.forEach(BoundedClaimTest::commit);
        found.addAll(claimed(20));

        assertThat(found).filteredOn("late"::equals).hasSize(24);
        assertThat(found).filteredOn("soon"::equals).hasSize(12 * LIMIT);
    }

    /** As they do when it was analyzed while all but a few of its rows were settled ones that could not be removed yet. */
    @Test
    void aClaimReadsLittleMoreThanItReturnsThoughTheStatisticsSayThatTheTableIsAsGoodAsEmpty() {
        jobs.insert("ready", 5_000);
        jobs.dsl()
                .execute(
                        "update pg_class set relpages = 5000, reltuples = 1 where relname in ('jobs', 'jobs_pkey', 'jobs_claim')");
        var request = ClaimRequest.of(jobs.dsl(), Jobs.queue(), 500, LEASE);

        var read = transactions.run(jobs.dsl(), own -> {
            assertThat(new PostgresLeaseClaim(transactions)
                            .leased(request.on(own))
                            .orElseThrow()
                            .rows())
                    .hasSize(500);
            return own.fetchValue(
                    "select coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0) from pg_stat_xact_user_tables where relname = 'jobs'");
        });

        assertThat(((Number) read).intValue()).isLessThanOrEqualTo(3 * 500);
    }

    /** It locks also what others claim while it walks, and they could not settle before it ends. */
    @Test
    void aFullLookThatTakesLongLocksNothingUntilItHasLooked() throws Exception {
        jobs.dsl().execute("""
                create function reached(id bigint) returns boolean volatile language sql as
                $$ select case when id < 2 then true else pg_advisory_xact_lock_shared(42) is not null end $$""");
        jobs.insert("first", 1);
        jobs.insert("second", 1);
        writer.dsl().execute("select pg_advisory_xact_lock(42)");
        var request =
                ClaimRequest.of(jobs.dsl(), Jobs.queue(), LIMIT, LEASE).only(DSL.condition("reached({0})", Jobs.ID));

        var look = CompletableFuture.supplyAsync(() -> claim.claim(request));
        Awaitility.await().until(this::isSomebodyWaitingForTheWriter);

        assertThat(Jobs.bodies(jobs.claim(claim, 1))).containsExactly("first");
        writer.commit();
        assertThat(Jobs.bodies(look.get().orElseThrow().rows())).containsExactly("second");
    }

    /** What the confirmation is for. */
    @Test
    void withoutItsConfirmationABoundWouldLeaveALateCommitToAFullLook() {
        var hasty = Jobs.bounded(Jobs.queue(), session -> Set.of());
        Jobs.insert(writer.dsl(), "late", 1);
        work(hasty, SOME);

        writer.commit();

        assertThat(claimed(hasty, SOME)).doesNotContain("late");
        assertThat(Jobs.bodies(jobs.look(hasty, LIMIT))).containsExactly("late");
    }

    @Test
    void aLateCommitOfATransactionThatTookAStrongerLockFirstIsFound() {
        work(1);
        writer.dsl().execute("lock table jobs in share row exclusive mode");
        Jobs.insert(writer.dsl(), "late", 1);
        assertThat(new TableWriters(Jobs.queue()).now(jobs.dsl())).hasSize(1);

        writer.commit();

        assertThat(claimed(SOME)).contains("late");
    }

    @Test
    void aLateCommitAfterItsSavepointIsFound() {
        writer.dsl().execute("savepoint before");
        Jobs.insert(writer.dsl(), "undone", 1);
        writer.dsl().execute("rollback to savepoint before");
        Jobs.insert(writer.dsl(), "late", 1);
        work(SOME);

        writer.commit();

        assertThat(claimed(SOME)).contains("late").doesNotContain("undone");
    }

    @Test
    void aPreparedTransactionIsFoundWhenItIsCommitted() {
        Jobs.insert(writer.dsl(), "late", 1);
        work(SOME);
        if (jobs.dsl().fetchSingle("show max_prepared_transactions").get(0).equals("0")) {
            assertThatThrownBy(() -> writer.dsl().execute("prepare transaction 'late'"))
                    .as("a server of one's own that prepares none")
                    .hasMessageContaining("max_prepared_transactions");
            return;
        }
        writer.dsl().execute("prepare transaction 'late'");
        work(SOME);

        jobs.dsl().execute("commit prepared 'late'");

        assertThat(claimed(SOME)).contains("late");
    }

    @Test
    void aForeignWritersPastDueTimeIsFoundByAFullLook() {
        work(SOME);
        insertDue(1, 0);

        assertThat(claimed(SOME)).isEmpty();
        assertThat(Jobs.bodies(jobs.look(claim, LIMIT))).containsExactly("old");
    }

    @Test
    void snapshotsAndTransactionsThatWriteOtherTablesHoldNothingUp() {
        jobs.dsl().execute("create table ledger (entry text)");
        writer.dsl().execute("set transaction isolation level repeatable read");
        writer.dsl().execute("insert into ledger select body from jobs");
        work(SOME);

        assertThat(isBounded()).isTrue();
    }

    @Test
    void aTransactionThatWritesTheTableHoldsTheBoundUpUntilItEnds() {
        Jobs.insert(writer.dsl(), "undone", 1);
        work(SOME);
        assertThat(isBounded()).isFalse();

        writer.close();
        work(SOME);

        assertThat(isBounded()).isTrue();
    }

    @Test
    void aRowThatIsGivenBackIsFoundAgain() {
        jobs.insert("given back", 1);
        var row = jobs.claim(claim, 1);
        work(SOME);
        giveBack(row);

        claim.lookAgain(row);

        assertThat(claimed()).containsExactly("given back");
    }

    @Test
    void aRowThatAnotherGivesBackIsFoundByAFullLook() {
        jobs.insert("given back", 1);
        var row = jobs.claim(Jobs.bounded(), 1);
        work(SOME);
        giveBack(row);

        assertThat(claimed(SOME)).isEmpty();
        assertThat(Jobs.bodies(jobs.look(claim, LIMIT))).containsExactly("given back");
    }

    @Test
    void aRowThatIsToBeTriedAgainComesAboveTheBound() {
        jobs.insert("again", 1);
        var row = jobs.claim(claim, 1);
        work(SOME);
        jobs.dsl()
                .execute(
                        "update jobs set held_until = null, due = %s where id = ?".formatted(Jobs.CLOCK),
                        row.get(0).get(Jobs.ID));

        assertThat(claimed()).containsExactly("again");
    }

    @Test
    void aLateRetryIsFound() {
        jobs.insert("again", 1);
        var row = jobs.claim(claim, 1);
        writer.dsl()
                .execute(
                        "update jobs set held_until = null, due = %s where id = ?".formatted(Jobs.CLOCK),
                        row.get(0).get(Jobs.ID));
        work(SOME);

        writer.commit();

        assertThat(claimed()).containsExactly("again");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void aPriorityThatIsFirstSeenHasNoBound(int priority) {
        work(SOME);
        insertDue(1, priority);

        assertThat(claimed()).containsExactly("old");
    }

    @Test
    void prioritiesAreClaimedInTheirOrderWhereSomeHaveBounds() {
        work(SOME);
        for (int priority = 30; priority >= -30; priority--) {
            jobs.dsl().execute("insert into jobs (body, priority) values (?, ?)", "of " + priority, priority);
        }

        var found = jobs.claim(claim, 100);
        var rest = jobs.claim(claim, 100);

        assertThat(found)
                .extracting(row -> row.get(Jobs.PRIORITY))
                .isSorted()
                .hasSize(61)
                .doesNotHaveDuplicates();
        assertThat(rest).isEmpty();
    }

    @Test
    void aFullLookTakesRowsAndMovesNothing() {
        for (int look = 0; look < SOME; look++) {
            jobs.insert("soon", LIMIT);
            assertThat(jobs.look(claim, LIMIT)).hasSize(LIMIT);
        }

        assertThat(isBounded()).isFalse();
    }

    @Test
    void aReadOfTheLocksThatFailsMakesTheClaimFailAndLooksFromTheStartAgain() {
        var fails = new AtomicBoolean();
        var shaky = Jobs.bounded(Jobs.queue(), session -> {
            if (fails.get()) {
                throw new IllegalStateException("no answer");
            }
            return new TableWriters(Jobs.queue()).now(session);
        });
        work(shaky, SOME);
        insertDue(1, 0);
        fails.set(true);
        assertThatThrownBy(() -> jobs.claim(shaky, LIMIT)).hasMessage("no answer");

        assertThat(claimed(shaky, 1)).containsExactly("old");
    }

    @Test
    void afterAResetItLooksFromTheStart() {
        work(SOME);
        insertDue(1, 0);

        claim.reset();

        assertThat(claimed()).containsExactly("old");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "create table jobs (like plain including all) partition by range (id)",
                "create table jobs (like plain including all); create table heirs () inherits (jobs)",
                "create table parents (like plain including all) partition by range (id);"
                        + " create table jobs partition of parents for values from (0) to (100000)",
                "create view jobs as select * from plain",
                "create table jobs (like plain including all); alter table jobs alter due set default"
                        + " extract(epoch from now()) * 1000000",
                "create table jobs (like plain including all); alter table jobs alter due drop default,"
                        + " alter due type timestamp(0) using now()"
            })
    void aTableWhoseWritersAreNotAllToldHasNoBound(String table) {
        jobs.dsl().execute("alter table jobs rename to plain");
        jobs.dsl().execute(table);

        assertThat(new TableWriters(Jobs.queue()).areToldAsTheyWrite(jobs.dsl()))
                .isFalse();
    }

    @Test
    void aTableWhoseWritersAreNotAllToldIsClaimedFromTheStart() {
        jobs.dsl().execute("create table heirs () inherits (jobs)");
        work(SOME);

        assertThat(isBounded()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "id int generated always as identity primary key, due timestamptz not null default clock_timestamp()",
                "id uuid default gen_random_uuid() primary key,"
                        + " due timestamp not null default (clock_timestamp() at time zone 'UTC')",
                "id smallint generated always as identity primary key,"
                        + " due bigint not null default (extract(epoch from clock_timestamp()) * 1000000)::bigint"
            })
    void theSameHoldsForIdsAndTimesOfOtherTypesAndWithoutPriorities(String columns) {
        jobs.dsl().execute("drop table jobs");
        jobs.dsl()
                .execute("create table jobs (%s, body text not null, tries int not null default 0, held_until bigint)"
                        .formatted(columns));
        jobs.dsl().execute("create index jobs_claim on jobs (due, id)");
        var queue = Jobs.queue(mapping(columns));
        var other = Jobs.bounded(queue, new TableWriters(queue)::now);
        Jobs.insert(writer.dsl(), "late", 1);
        for (int each = 0; each < SOME; each++) {
            jobs.insert("soon", LIMIT);
            assertThat(Jobs.rows(other, jobs.request(queue, LIMIT))).hasSize(LIMIT);
        }

        writer.commit();
        jobs.insert("soon", 1);
        assertThat(Jobs.rows(other, jobs.request(queue, LIMIT))).hasSize(2);
        for (int each = 0; each < SOME; each++) {
            jobs.insert("soon", LIMIT);
            assertThat(Jobs.rows(other, jobs.request(queue, LIMIT))).hasSize(LIMIT);
        }
        jobs.dsl().execute("update jobs set held_until = null where body = 'late'");

        assertThat(Jobs.rows(other, jobs.request(queue, LIMIT))).isEmpty();
        assertThat(Jobs.rows(other, jobs.request(queue, LIMIT).full())).hasSize(1);
    }

    @Test
    void theIndexIsReadFromTheBoundToTheTimeThatIsNow() {
        jobs.insert("soon", 2_000);
        jobs.dsl().execute("analyze jobs");
        var plans = new ArrayList<String>();
        for (int each = 0; each < SOME; each++) {
            plans.add(plan());
        }

        assertThat(plans.get(SOME - 1).lines().filter(line -> line.contains("row(")))
                .singleElement()
                .asString()
                .contains("index cond", "due <= ", "row(due, id) >= row(");
    }

    private String plan() {
        var statements = new ArrayList<Query>();
        var listening =
                jobs.dsl().configuration().derive(ExecuteListener.onStart(context -> statements.add(context.query())));
        Jobs.rows(claim, jobs.request(Jobs.queue(), LIMIT).on(listening.dsl()));
        return jobs.dsl()
                .fetch("explain (costs off) " + jobs.dsl().renderInlined(statements.get(statements.size() - 1)))
                .format()
                .toLowerCase(Locale.ROOT);
    }

    private static QueueTable<String> mapping(String columns) {
        var id = columns.startsWith("id uuid")
                ? SQLDataType.UUID
                : columns.startsWith("id int") ? SQLDataType.INTEGER : SQLDataType.SMALLINT;
        var due = columns.contains("due timestamptz")
                ? SQLDataType.OFFSETDATETIME(6)
                : columns.contains("due timestamp") ? SQLDataType.LOCALDATETIME(6) : SQLDataType.BIGINT;
        return QueueTable.of(Jobs.TABLE, field(name("jobs", "id"), id), Jobs.BODY)
                .dueAt(field(name("jobs", "due"), due))
                .attempt(Jobs.TRIES)
                .leasedUntil(Jobs.HELD_UNTIL);
    }

    // A row that only a claim from the start of the index comes across.
    private boolean isBounded() {
        insertDue(1, 0);
        return !claimed().contains("old");
    }

    private void work(int claims) {
        work(claim, claims);
    }

    private void work(Claim worker, int claims) {
        for (int each = 0; each < claims; each++) {
            jobs.insert("soon", LIMIT);
            assertThat(jobs.claim(worker, LIMIT)).hasSize(LIMIT);
        }
    }

    private List<String> claimed() {
        return claimed(1);
    }

    private List<String> claimed(int claims) {
        return claimed(claim, claims);
    }

    private List<String> claimed(Claim worker, int claims) {
        var found = new ArrayList<Record>();
        for (int each = 0; each < claims; each++) {
            found.addAll(jobs.claim(worker, LIMIT));
        }
        return Jobs.bodies(found);
    }

    private void insertDue(long due, int priority) {
        jobs.dsl().execute("insert into jobs (body, due, priority) values ('old', ?, ?)", due, priority);
    }

    private void giveBack(List<Record> rows) {
        rows.forEach(row -> jobs.dsl()
                .execute("update jobs set held_until = null, tries = tries - 1 where id = ?", row.get(Jobs.ID)));
    }

    private static void commit(OpenTransaction open) {
        open.commit();
        open.close();
    }

    private boolean isSomebodyWaitingForTheWriter() {
        return jobs.dsl().fetchExists(DSL.table("pg_locks"), DSL.condition("locktype = 'advisory' and not granted"));
    }
}

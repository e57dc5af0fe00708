package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.Queue;
import dev.dibs.table.LockForm;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

/** What is refused or warned of before a worker starts, on a database that skips locked rows. */
public abstract class SkipLockedCheckContract extends CheckContract {

    private static final String SKIP_LOCKED = " for update skip locked";

    /** The contract on a database. */
    protected SkipLockedCheckContract(TestDatabase database) {
        super(database);
    }

    @Test
    void aDatabaseThatParsesSkipLockedAndLocksNothingIsRefusedInBothForms() {
        queue(pool()).enqueue("held by two");
        var unlocking = PretendingDataSource.of(pool(), sql -> sql.replace(SKIP_LOCKED, ""));

        for (var form : new LockForm[] {LockForm.LEASE, LockForm.ROW_LOCK}) {
            assertRefused(queue(unlocking, jobs.mapped(form, new JobTable("dead"))))
                    .hasMessageContaining("locked it too")
                    .hasMessageContaining("use a database server that keeps row locks");
        }
    }

    @Test
    void aDatabaseThatWaitsForALockedRowInsteadOfSkippingItIsRefused() {
        queue(pool()).enqueue("waited for");

        assertRefused(sql -> sql.replace(SKIP_LOCKED, " for update")).hasMessageContaining("could not pass over it");
    }

    @Test
    void aDatabaseThatAcceptsSessionLocksAndLocksNothingIsRefusedInTheAdvisoryForm() {
        var unlocking = PretendingDataSource.of(
                pool(),
                sql -> sql.replaceAll("pg_(try_)?advisory_(un)?lock\\(\\?\\)", "(cast(? as bigint) is not null)")
                        .replaceAll("(get|release)_lock\\(\\?(, 0)?\\)", "(? is not null)"));

        assertRefused(queue(unlocking, jobs.mapped(LockForm.ADVISORY, new JobTable("dead"))))
                .hasMessageContaining("was taken by another connection too")
                .hasMessageContaining("map leasedUntil(..) to use leases");
    }

    @Test
    void aPoolerThatLeavesASessionsLockWithAnotherConnectionIsRefusedInTheAdvisoryForm() {
        var pooling = PretendingDataSource.of(
                pool(),
                sql -> sql.replaceAll("pg_advisory_unlock\\(\\?\\)", "(cast(? as bigint) is null)")
                        .replaceAll("release_lock\\(\\?\\)", "(? is null)"));

        assertRefused(queue(pooling, jobs.mapped(LockForm.ADVISORY, new JobTable("dead"))))
                .hasMessageContaining("was gone when its connection let go of it")
                .hasMessageContaining("a pooler that keeps a session on one server connection");
    }

    @Test
    void anEmptyTableTellsNothingAndStarts() {
        assertServes(sql -> sql.replace(SKIP_LOCKED, ""));
    }

    @Test
    @SuppressWarnings("try") // the worker works until it is closed
    void theProbeLeavesNoRowLockedAndNothingWritten() {
        queue(pool()).enqueue("of the queue mail");
        var before = dsl().selectFrom(jobs).fetch();

        try (var worker = Queue.of(dsl(), jobs.mapped(LockForm.LEASE, new JobTable("dead")), "another")
                .worker()
                .consume(payload -> {})) {
            assertThat(dsl().selectFrom(jobs).forUpdate().noWait().fetch()).isEqualTo(before);
        }
    }

    @Test
    @SuppressWarnings("try") // the worker works until it is closed
    void aPoolOfOneConnectionStartsWithAWarningInsteadOfAProbe() throws Exception {
        var seen = new LinkedBlockingQueue<String>();
        try (var one = address.pool(1);
                var warnings = new Warnings()) {
            var queue = queue(one);
            queue.enqueue("slowly");
            try (var worker = queue.worker().consume(seen::add)) {
                assertThat(seen.poll(Recorder.PATIENCE.toSeconds(), TimeUnit.SECONDS))
                        .isEqualTo("slowly");
            }
            assertThat(warnings.all()).singleElement().asString().contains("at least two connections");
        }
    }

    @Test
    void aTimeInAColumnOf32BitsIsRefused() {
        var narrow = altered("retry_after", SQLDataType.INTEGER);

        assertRefused(queue(pool(), narrow))
                .hasMessageContaining("dueAt -> \"retry_after\" is ")
                .hasMessageContaining("64 bits")
                .hasMessageContaining("alter it to bigint");
    }
}

package dev.dibs.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.spi.Claimed;
import dev.dibs.table.LockForm;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims read their rows from the claim index in order, and lock no others. */
public abstract class SkipLockedPlanContract extends ClaimPlanContract {

    /** The contract on a database. */
    protected SkipLockedPlanContract(TestDatabase database) {
        super(database, LockForm.LEASE, LockForm.ROW_LOCK);
    }

    /** On MySQL a claim that sorts locks every row that it sorted: this is a test of the plan, too. */
    @Test
    void twoClaimsWhoseTransactionsAreOpenBothGetAllTheyAskFor() {
        fill("mail", 1_000, 1);

        var first = ClaimStatements.claim(dsl(), queue(LockForm.ROW_LOCK), LIMIT);
        var second = ClaimStatements.claim(dsl(), queue(LockForm.ROW_LOCK), LIMIT);

        assertThat(Stream.concat(first.stream(), second.stream()).map(this::id))
                .hasSize(2 * LIMIT)
                .doesNotHaveDuplicates();
        Stream.of(first, second)
                .forEach(claim -> claim.forEach(row -> row.hold().close()));
    }

    private Object id(Claimed claimed) {
        return claimed.rows().get(0).get(jobs.jobId);
    }
}

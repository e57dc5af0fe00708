package dev.dibs.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Test;

final class SqliteClaimSqlTest extends ClaimSqlContract {

    SqliteClaimSqlTest() {
        super(TestDatabase.sqlite());
    }

    @Test
    void aLeaseClaimIsThis() {
        assertThat(claim(LockForm.LEASE)).isEqualTo("""
                select min(jobs.urgency)
                from jobs
                where jobs.topic = ?

                update jobs
                set
                  locked_until = ((cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000) + ?),
                  claim_token = ?,
                  tries = (coalesce(jobs.tries, 0) + ?)
                where jobs.job_id in (
                  select jobs.job_id
                  from jobs
                  where (
                    jobs.topic = ?
                    and jobs.retry_after <= (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
                    and (
                      jobs.locked_until is null
                      or jobs.locked_until <= (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
                    )
                    and jobs.urgency = ?
                  )
                  order by jobs.retry_after, jobs.job_id
                  limit ?
                )
                returning
                  jobs.job_id,
                  jobs.body,
                  jobs.tries,
                  jobs.urgency,
                  jobs.retry_after,
                  jobs.locked_until
                """);
    }
}

package dev.dibs.mysql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Test;

final class MysqlClaimSqlTest extends ClaimSqlContract {

    MysqlClaimSqlTest() {
        super(TestDatabase.mysql());
    }

    @Test
    void aLeaseClaimIsThis() {
        assertThat(claim(LockForm.LEASE)).isEqualTo("""
                select min(`jobs`.`urgency`)
                from `jobs`
                where `jobs`.`topic` = ?

                select
                  `jobs`.`job_id`,
                  `jobs`.`body`,
                  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
                  `jobs`.`urgency`,
                  `jobs`.`retry_after`,
                  (timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) + ?) as `locked_until`
                from `jobs`
                where (
                  `jobs`.`topic` = ?
                  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
                  and (
                    `jobs`.`locked_until` is null
                    or `jobs`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
                  )
                  and `jobs`.`urgency` = ?
                )
                order by `jobs`.`retry_after`, `jobs`.`job_id`
                limit ?
                for update skip locked

                update `jobs`
                set
                  `jobs`.`locked_until` = ?,
                  `jobs`.`claim_token` = ?,
                  `jobs`.`tries` = (coalesce(`jobs`.`tries`, 0) + ?)
                where `jobs`.`job_id` in (?)
                """);
    }

    @Test
    void aRowLockClaimIsThis() {
        assertThat(claim(LockForm.ROW_LOCK)).isEqualTo("""
                select min(`jobs`.`urgency`)
                from `jobs`
                where `jobs`.`topic` = ?

                select
                  `jobs`.`job_id`,
                  `jobs`.`body`,
                  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
                  `jobs`.`urgency`,
                  `jobs`.`retry_after`
                from `jobs`
                where (
                  `jobs`.`topic` = ?
                  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
                  and `jobs`.`urgency` = ?
                )
                order by `jobs`.`retry_after`, `jobs`.`job_id`
                limit ?
                for update skip locked

                savepoint `dibs_claimed`
                """);
    }
}

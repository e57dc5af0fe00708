package dev.dibs.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.dibs.table.LockForm;
import dev.dibs.testkit.ClaimSqlContract;
import dev.dibs.testkit.TestDatabase;
import org.junit.jupiter.api.Test;

final class PostgresClaimSqlTest extends ClaimSqlContract {

    PostgresClaimSqlTest() {
        super(TestDatabase.postgresql());
    }

    @Test
    void aLeaseClaimIsThis() {
        assertThat(claim(LockForm.LEASE)).isEqualTo("""
                with recursive
                  "priorities"("priority") as (
                    select min("jobs"."urgency")
                    from "jobs"
                    where "jobs"."topic" = ?
                    union all
                    select (
                      select min("jobs"."urgency")
                      from "jobs"
                      where (
                        "jobs"."topic" = ?
                        and "jobs"."urgency" > "priorities"."priority"
                      )
                    )
                    from "priorities"
                    where "priorities"."priority" is not null
                  ),
                  "ready"("id") as materialized (
                    select "range"."id"
                    from "priorities"
                      cross join lateral (
                        select "jobs"."job_id"
                        from "jobs"
                        where (
                          "jobs"."topic" = ?
                          and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
                          and (
                            "jobs"."locked_until" is null
                            or "jobs"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
                          )
                          and "jobs"."urgency" = "priorities"."priority"
                        )
                        order by "jobs"."retry_after", "jobs"."job_id"
                        fetch next ? rows only
                        for update skip locked
                      ) as "range" ("id")
                    fetch next ? rows only
                  )
                update "jobs"
                set
                  "locked_until" = ((extract(epoch from statement_timestamp()) * 1000000)::bigint + ?),
                  "claim_token" = ?,
                  "tries" = (coalesce("jobs"."tries", 0) + ?)
                from "ready"
                where "jobs"."job_id" = "ready"."id"
                returning
                  "jobs"."job_id",
                  "jobs"."body",
                  "jobs"."tries",
                  "jobs"."urgency",
                  "jobs"."retry_after",
                  "jobs"."locked_until"
                """);
    }

    @Test
    void aRowLockClaimIsThis() {
        assertThat(claim(LockForm.ROW_LOCK)).isEqualTo("""
                select min("jobs"."urgency")
                from "jobs"
                where "jobs"."topic" = ?

                select
                  "jobs"."job_id",
                  "jobs"."body",
                  (coalesce("jobs"."tries", 0) + ?) as "tries",
                  "jobs"."urgency",
                  "jobs"."retry_after"
                from "jobs"
                where (
                  "jobs"."topic" = ?
                  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
                  and "jobs"."urgency" = ?
                )
                order by "jobs"."retry_after", "jobs"."job_id"
                fetch next ? rows only
                for update skip locked

                savepoint "dibs_claimed"
                """);
    }
}

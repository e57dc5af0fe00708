-- lease

with recursive
  "priorities"("priority") as (
    select coalesce(
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" < (cast(
  ?
  as bigint[]
))[1]
        )
      ),
      (cast(
  ?
  as bigint[]
))[1],
      (
        select min("jobs"."urgency")
        from "jobs"
        where "jobs"."topic" = ?
      )
    )
    union all
    select coalesce(
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" > "priorities"."priority"
          and "jobs"."urgency" < (cast(
  ?
  as bigint[]
))[(width_bucket(
            cast("priorities"."priority" as bigint),
            cast(
  ?
  as bigint[]
)
          ) + 1)]
        )
      ),
      (cast(
  ?
  as bigint[]
))[(width_bucket(
        cast("priorities"."priority" as bigint),
        cast(
  ?
  as bigint[]
)
      ) + 1)],
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" > "priorities"."priority"
        )
      )
    )
    from "priorities"
    where "priorities"."priority" is not null
  ),
  "ready"("id", "dibs_ran_out") as materialized (
    select "range"."id", "range"."dibs_ran_out"
    from "priorities"
      cross join lateral (
        select
          "jobs"."job_id",
          case
            when "jobs"."locked_until" is not null then 1
            else 0
          end
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          and (
            "jobs"."locked_until" is null
            or "jobs"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          )
          and "jobs"."urgency" = "priorities"."priority"
          and ("jobs"."retry_after", "jobs"."job_id") >= (
            coalesce(
              (cast(
  ?
  as bigint[]
))[array_position(
                cast(
  ?
  as bigint[]
),
                cast("priorities"."priority" as bigint)
              )],
              ?
            ),
            coalesce(
              (cast(
  ?
  as bigint[]
))[array_position(
                cast(
  ?
  as bigint[]
),
                cast("priorities"."priority" as bigint)
              )],
              ?
            )
          )
        )
        order by "jobs"."retry_after", "jobs"."job_id"
        fetch next (
          select ?
        ) rows only
        for update skip locked
      ) as "range" ("id", "dibs_ran_out")
    fetch next (
      select ?
    ) rows only
  )
update "jobs"
set
  "locked_until" = ((extract(epoch from statement_timestamp()) * 1000000)::bigint + ?),
  "claim_token" = ?,
  "tries" = (coalesce("jobs"."tries", 0) + ?)
where "jobs"."job_id" = any (
  array(
    select "ready"."id"
    from "ready"
  )
)
returning
  "jobs"."job_id",
  "jobs"."tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."locked_until" as "dibs_locked_until",
  "jobs"."body",
  case
    when "jobs"."job_id" = any (
      array(
        select "ready"."id"
        from "ready"
        where "ready"."dibs_ran_out" = 1
      )
    ) then 1
    else 0
  end as "dibs_ran_out"

-- lease, of queues that can be paused

with recursive
  "priorities"("priority") as (
    select coalesce(
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" < (cast(
  ?
  as bigint[]
))[1]
        )
      ),
      (cast(
  ?
  as bigint[]
))[1],
      (
        select min("jobs"."urgency")
        from "jobs"
        where "jobs"."topic" = ?
      )
    )
    union all
    select coalesce(
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" > "priorities"."priority"
          and "jobs"."urgency" < (cast(
  ?
  as bigint[]
))[(width_bucket(
            cast("priorities"."priority" as bigint),
            cast(
  ?
  as bigint[]
)
          ) + 1)]
        )
      ),
      (cast(
  ?
  as bigint[]
))[(width_bucket(
        cast("priorities"."priority" as bigint),
        cast(
  ?
  as bigint[]
)
      ) + 1)],
      (
        select min("jobs"."urgency")
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."urgency" > "priorities"."priority"
        )
      )
    )
    from "priorities"
    where "priorities"."priority" is not null
  ),
  "ready"("id", "dibs_ran_out") as materialized (
    select "range"."id", "range"."dibs_ran_out"
    from "priorities"
      cross join lateral (
        select
          "jobs"."job_id",
          case
            when "jobs"."locked_until" is not null then 1
            else 0
          end
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          and (
            "jobs"."locked_until" is null
            or "jobs"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          )
          and coalesce(
            (
              select "switches"."off"
              from "switches"
              where "switches"."topic" = ?
            ),
            0
          ) = 0
          and "jobs"."urgency" = "priorities"."priority"
          and ("jobs"."retry_after", "jobs"."job_id") >= (
            coalesce(
              (cast(
  ?
  as bigint[]
))[array_position(
                cast(
  ?
  as bigint[]
),
                cast("priorities"."priority" as bigint)
              )],
              ?
            ),
            coalesce(
              (cast(
  ?
  as bigint[]
))[array_position(
                cast(
  ?
  as bigint[]
),
                cast("priorities"."priority" as bigint)
              )],
              ?
            )
          )
        )
        order by "jobs"."retry_after", "jobs"."job_id"
        fetch next (
          select ?
        ) rows only
        for update skip locked
      ) as "range" ("id", "dibs_ran_out")
    fetch next (
      select ?
    ) rows only
  )
update "jobs"
set
  "locked_until" = ((extract(epoch from statement_timestamp()) * 1000000)::bigint + ?),
  "claim_token" = ?,
  "tries" = (coalesce("jobs"."tries", 0) + ?)
where "jobs"."job_id" = any (
  array(
    select "ready"."id"
    from "ready"
  )
)
returning
  "jobs"."job_id",
  "jobs"."tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."locked_until" as "dibs_locked_until",
  "jobs"."body",
  case
    when "jobs"."job_id" = any (
      array(
        select "ready"."id"
        from "ready"
        where "ready"."dibs_ran_out" = 1
      )
    ) then 1
    else 0
  end as "dibs_ran_out"

-- lease, ordered by a key

select min("jobs"."urgency")
from "jobs"
where "jobs"."topic" = ?

select "candidate"."id", "candidate"."dibs_key"
from (
  select
    "jobs"."job_id" as "id",
    hashtextextended(
      ('mail:' || cast("jobs"."account" as varchar)),
      '"jobs"'::regclass::oid::bigint
    ) as "dibs_key"
  from "jobs"
  where (
    "jobs"."topic" = ?
    and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
    and (
      "jobs"."locked_until" is null
      or "jobs"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
    )
    and not exists (
      select 1 as "one"
      from "jobs" as "dibs_other"
      where (
        "dibs_other"."topic" = ?
        and "dibs_other"."account" = "jobs"."account"
        and true
        and (
          "dibs_other"."job_id" < "jobs"."job_id"
          or not ("dibs_other"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint)
        )
      )
    )
    and "jobs"."urgency" = ?
    and (
      hashtextextended(
        ('mail:' || cast("jobs"."account" as varchar)),
        '"jobs"'::regclass::oid::bigint
      ) is null
      or hashtextextended(
        ('mail:' || cast("jobs"."account" as varchar)),
        '"jobs"'::regclass::oid::bigint
      ) not in (
        select ((cast("pg_locks"."classid" as bigint) << 32) | cast("pg_locks"."objid" as bigint))
        from "pg_locks"
        where (
          "pg_locks"."locktype" = 'advisory'
          and "pg_locks"."objsubid" = 1
          and "pg_locks"."granted" = true
          and "pg_locks"."database" = (
            select "pg_database"."oid"
            from "pg_database"
            where "pg_database"."datname" = current_database()
          )
        )
      )
    )
  )
  order by "jobs"."retry_after", "jobs"."job_id"
  fetch next (
    select ?
  ) rows only
) as "candidate"
where (
  "candidate"."dibs_key" is null
  or pg_try_advisory_xact_lock("candidate"."dibs_key")
)

with recursive
  "priorities"("priority") as (
    select (
      select min("jobs"."urgency")
      from "jobs"
      where "jobs"."topic" = ?
    )
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
  "ready"("id", "dibs_ran_out") as materialized (
    select "range"."id", "range"."dibs_ran_out"
    from "priorities"
      cross join lateral (
        select
          "jobs"."job_id",
          case
            when "jobs"."locked_until" is not null then 1
            else 0
          end
        from "jobs"
        where (
          "jobs"."topic" = ?
          and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          and (
            "jobs"."locked_until" is null
            or "jobs"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
          )
          and not exists (
            select 1 as "one"
            from "jobs" as "dibs_other"
            where (
              "dibs_other"."topic" = ?
              and "dibs_other"."account" = "jobs"."account"
              and true
              and (
                "dibs_other"."job_id" < "jobs"."job_id"
                or not ("dibs_other"."locked_until" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint)
              )
            )
          )
          and "jobs"."job_id" in (?)
          and "jobs"."urgency" = "priorities"."priority"
        )
        order by "jobs"."retry_after", "jobs"."job_id"
        fetch next (
          select ?
        ) rows only
        for update skip locked
      ) as "range" ("id", "dibs_ran_out")
    fetch next (
      select ?
    ) rows only
  )
update "jobs"
set
  "locked_until" = ((extract(epoch from statement_timestamp()) * 1000000)::bigint + ?),
  "claim_token" = ?,
  "tries" = (coalesce("jobs"."tries", 0) + ?)
where "jobs"."job_id" = any (
  array(
    select "ready"."id"
    from "ready"
  )
)
returning
  "jobs"."job_id",
  "jobs"."tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."locked_until" as "dibs_locked_until",
  "jobs"."body",
  case
    when "jobs"."job_id" = any (
      array(
        select "ready"."id"
        from "ready"
        where "ready"."dibs_ran_out" = 1
      )
    ) then 1
    else 0
  end as "dibs_ran_out"

-- row lock

select min("jobs"."urgency")
from "jobs"
where "jobs"."topic" = ?

select
  "jobs"."job_id",
  (coalesce("jobs"."tries", 0) + ?) as "tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."body"
from "jobs"
where (
  "jobs"."topic" = ?
  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
  and "jobs"."urgency" = ?
)
order by "jobs"."retry_after", "jobs"."job_id"
fetch next (
  select ?
) rows only
for update skip locked

-- row lock, ordered by a key

select min("jobs"."urgency")
from "jobs"
where "jobs"."topic" = ?

select "candidate"."id", "candidate"."dibs_key"
from (
  select
    "jobs"."job_id" as "id",
    hashtextextended(
      ('mail:' || cast("jobs"."account" as varchar)),
      '"jobs"'::regclass::oid::bigint
    ) as "dibs_key"
  from "jobs"
  where (
    "jobs"."topic" = ?
    and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
    and not exists (
      select 1 as "one"
      from "jobs" as "dibs_other"
      where (
        "dibs_other"."topic" = ?
        and "dibs_other"."account" = "jobs"."account"
        and true
        and (
          "dibs_other"."job_id" < "jobs"."job_id"
          or false
        )
      )
    )
    and "jobs"."urgency" = ?
    and (
      hashtextextended(
        ('mail:' || cast("jobs"."account" as varchar)),
        '"jobs"'::regclass::oid::bigint
      ) is null
      or hashtextextended(
        ('mail:' || cast("jobs"."account" as varchar)),
        '"jobs"'::regclass::oid::bigint
      ) not in (
        select ((cast("pg_locks"."classid" as bigint) << 32) | cast("pg_locks"."objid" as bigint))
        from "pg_locks"
        where (
          "pg_locks"."locktype" = 'advisory'
          and "pg_locks"."objsubid" = 1
          and "pg_locks"."granted" = true
          and "pg_locks"."database" = (
            select "pg_database"."oid"
            from "pg_database"
            where "pg_database"."datname" = current_database()
          )
        )
      )
    )
  )
  order by "jobs"."retry_after", "jobs"."job_id"
  fetch next (
    select ?
  ) rows only
) as "candidate"
where (
  "candidate"."dibs_key" is null
  or pg_try_advisory_xact_lock("candidate"."dibs_key")
)

select min("jobs"."urgency")
from "jobs"
where "jobs"."topic" = ?

select
  "jobs"."job_id",
  (coalesce("jobs"."tries", 0) + ?) as "tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."body"
from "jobs"
where (
  "jobs"."topic" = ?
  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
  and not exists (
    select 1 as "one"
    from "jobs" as "dibs_other"
    where (
      "dibs_other"."topic" = ?
      and "dibs_other"."account" = "jobs"."account"
      and true
      and (
        "dibs_other"."job_id" < "jobs"."job_id"
        or false
      )
    )
  )
  and "jobs"."job_id" in (?)
  and "jobs"."urgency" = ?
)
order by "jobs"."retry_after", "jobs"."job_id"
fetch next (
  select ?
) rows only
for update skip locked

-- advisory

select min("jobs"."urgency")
from "jobs"
where "jobs"."topic" = ?

select
  "jobs"."job_id",
  hashtextextended(
    coalesce(
      cast("jobs"."account" as varchar),
      ''
    ),
    '"jobs"'::regclass::oid::bigint
  )
from "jobs"
where (
  "jobs"."topic" = ?
  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
  and "jobs"."urgency" = ?
  and hashtextextended(
    coalesce(
      cast("jobs"."account" as varchar),
      ''
    ),
    '"jobs"'::regclass::oid::bigint
  ) not in (
    select ((cast("pg_locks"."classid" as bigint) << 32) | cast("pg_locks"."objid" as bigint))
    from "pg_locks"
    where (
      "pg_locks"."locktype" = 'advisory'
      and "pg_locks"."objsubid" = 1
      and "pg_locks"."granted" = true
      and "pg_locks"."database" = (
        select "pg_database"."oid"
        from "pg_database"
        where "pg_database"."datname" = current_database()
      )
    )
  )
)
order by "jobs"."retry_after", "jobs"."job_id"
fetch next (
  select ?
) rows only

select pg_try_advisory_lock(?)

update "jobs"
set
  "tries" = (coalesce("jobs"."tries", 0) + ?)
where (
  "jobs"."job_id" = ?
  and "jobs"."topic" = ?
  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
)

select
  "jobs"."job_id",
  "jobs"."tries",
  "jobs"."urgency",
  "jobs"."retry_after" as "dibs_retry_after",
  "jobs"."body"
from "jobs"
where (
  "jobs"."job_id" = ?
  and "jobs"."topic" = ?
  and "jobs"."retry_after" <= (extract(epoch from statement_timestamp()) * 1000000)::bigint
)

select pg_advisory_unlock(?)


-- lease

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  (timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) + ?) as `dibs_locked_until`,
  `jobs`.`body`,
  case
    when `jobs`.`locked_until` is not null then 1
    else 0
  end as `dibs_ran_out`
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
where `jobs`.`job_id` = ?

-- lease, of queues that can be paused

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  (timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) + ?) as `dibs_locked_until`,
  `jobs`.`body`,
  case
    when `jobs`.`locked_until` is not null then 1
    else 0
  end as `dibs_ran_out`
from `jobs`
where (
  `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  and (
    `jobs`.`locked_until` is null
    or `jobs`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  )
  and coalesce(
    (
      select `switches`.`off`
      from `switches`
      where `switches`.`topic` = ?
    ),
    0
  ) = 0
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
where `jobs`.`job_id` = ?

-- lease, ordered by a key

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select `candidate`.`id`, `candidate`.`dibs_key`
from (
  select
    `jobs`.`job_id` as `id`,
    sha2(
      concat(
        convert(database() using utf8mb4),
        '.',
        convert('jobs' using utf8mb4),
        '.',
        convert(concat(
          'mail:',
          cast(`jobs`.`account` as char)
        ) using utf8mb4)
      ),
      256
    ) as `dibs_key`
  from `jobs`
  where (
    `jobs`.`topic` = ?
    and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
    and (
      `jobs`.`locked_until` is null
      or `jobs`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
    )
    and not exists (
      select 1 as `one`
      from `jobs` as `dibs_other`
      where (
        `dibs_other`.`topic` = ?
        and `dibs_other`.`account` = `jobs`.`account`
        and cast(`dibs_other`.`account` as binary) = cast(`jobs`.`account` as binary)
        and (
          `dibs_other`.`job_id` < `jobs`.`job_id`
          or not (`dibs_other`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)))
        )
      )
    )
    and `jobs`.`urgency` = ?
    and (
      sha2(
        concat(
          convert(database() using utf8mb4),
          '.',
          convert('jobs' using utf8mb4),
          '.',
          convert(concat(
            'mail:',
            cast(`jobs`.`account` as char)
          ) using utf8mb4)
        ),
        256
      ) is null
      or is_used_lock(sha2(
        concat(
          convert(database() using utf8mb4),
          '.',
          convert('jobs' using utf8mb4),
          '.',
          convert(concat(
            'mail:',
            cast(`jobs`.`account` as char)
          ) using utf8mb4)
        ),
        256
      )) is null
    )
  )
  order by `jobs`.`retry_after`, `jobs`.`job_id`
  limit ?
) as `candidate`
where (
  `candidate`.`dibs_key` is null
  or get_lock(`candidate`.`dibs_key`, 0) = 1
)

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  (timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)) + ?) as `dibs_locked_until`,
  `jobs`.`body`,
  case
    when `jobs`.`locked_until` is not null then 1
    else 0
  end as `dibs_ran_out`
from `jobs`
where (
  `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  and (
    `jobs`.`locked_until` is null
    or `jobs`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  )
  and not exists (
    select 1 as `one`
    from `jobs` as `dibs_other`
    where (
      `dibs_other`.`topic` = ?
      and `dibs_other`.`account` = `jobs`.`account`
      and cast(`dibs_other`.`account` as binary) = cast(`jobs`.`account` as binary)
      and (
        `dibs_other`.`job_id` < `jobs`.`job_id`
        or not (`dibs_other`.`locked_until` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)))
      )
    )
  )
  and `jobs`.`job_id` in (?)
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
where `jobs`.`job_id` = ?

-- row lock

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  `jobs`.`body`
from `jobs`
where (
  `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  and `jobs`.`urgency` = ?
)
order by `jobs`.`retry_after`, `jobs`.`job_id`
limit ?
for update skip locked

-- row lock, ordered by a key

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select `candidate`.`id`, `candidate`.`dibs_key`
from (
  select
    `jobs`.`job_id` as `id`,
    sha2(
      concat(
        convert(database() using utf8mb4),
        '.',
        convert('jobs' using utf8mb4),
        '.',
        convert(concat(
          'mail:',
          cast(`jobs`.`account` as char)
        ) using utf8mb4)
      ),
      256
    ) as `dibs_key`
  from `jobs`
  where (
    `jobs`.`topic` = ?
    and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
    and not exists (
      select 1 as `one`
      from `jobs` as `dibs_other`
      where (
        `dibs_other`.`topic` = ?
        and `dibs_other`.`account` = `jobs`.`account`
        and cast(`dibs_other`.`account` as binary) = cast(`jobs`.`account` as binary)
        and (
          `dibs_other`.`job_id` < `jobs`.`job_id`
          or false
        )
      )
    )
    and `jobs`.`urgency` = ?
    and (
      sha2(
        concat(
          convert(database() using utf8mb4),
          '.',
          convert('jobs' using utf8mb4),
          '.',
          convert(concat(
            'mail:',
            cast(`jobs`.`account` as char)
          ) using utf8mb4)
        ),
        256
      ) is null
      or is_used_lock(sha2(
        concat(
          convert(database() using utf8mb4),
          '.',
          convert('jobs' using utf8mb4),
          '.',
          convert(concat(
            'mail:',
            cast(`jobs`.`account` as char)
          ) using utf8mb4)
        ),
        256
      )) is null
    )
  )
  order by `jobs`.`retry_after`, `jobs`.`job_id`
  limit ?
) as `candidate`
where (
  `candidate`.`dibs_key` is null
  or get_lock(`candidate`.`dibs_key`, 0) = 1
)

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  (coalesce(`jobs`.`tries`, 0) + ?) as `tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  `jobs`.`body`
from `jobs`
where (
  `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  and not exists (
    select 1 as `one`
    from `jobs` as `dibs_other`
    where (
      `dibs_other`.`topic` = ?
      and `dibs_other`.`account` = `jobs`.`account`
      and cast(`dibs_other`.`account` as binary) = cast(`jobs`.`account` as binary)
      and (
        `dibs_other`.`job_id` < `jobs`.`job_id`
        or false
      )
    )
  )
  and `jobs`.`job_id` in (?)
  and `jobs`.`urgency` = ?
)
order by `jobs`.`retry_after`, `jobs`.`job_id`
limit ?
for update skip locked

-- advisory

select min(`jobs`.`urgency`)
from `jobs`
where `jobs`.`topic` = ?

select
  `jobs`.`job_id`,
  sha2(
    concat(
      convert(database() using utf8mb4),
      '.',
      convert('jobs' using utf8mb4),
      '.',
      convert(coalesce(
        cast(`jobs`.`account` as char),
        ''
      ) using utf8mb4)
    ),
    256
  )
from `jobs`
where (
  `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
  and `jobs`.`urgency` = ?
  and is_used_lock(sha2(
    concat(
      convert(database() using utf8mb4),
      '.',
      convert('jobs' using utf8mb4),
      '.',
      convert(coalesce(
        cast(`jobs`.`account` as char),
        ''
      ) using utf8mb4)
    ),
    256
  )) is null
)
order by `jobs`.`retry_after`, `jobs`.`job_id`
limit ?

select get_lock(?, 0)

update `jobs`
set
  `jobs`.`tries` = (coalesce(`jobs`.`tries`, 0) + ?)
where (
  `jobs`.`job_id` = ?
  and `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
)

select
  `jobs`.`job_id`,
  `jobs`.`tries`,
  `jobs`.`urgency`,
  `jobs`.`retry_after` as `dibs_retry_after`,
  `jobs`.`body`
from `jobs`
where (
  `jobs`.`job_id` = ?
  and `jobs`.`topic` = ?
  and `jobs`.`retry_after` <= timestampdiff(microsecond, '1970-01-01', utc_timestamp(6))
)

select release_lock(?)


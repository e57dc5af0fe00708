-- lease

select (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)

select min(jobs.urgency)
from jobs
where jobs.topic = ?

select
  jobs.job_id,
  (coalesce(jobs.tries, 0) + ?) as tries,
  jobs.urgency,
  jobs.retry_after as dibs_retry_after,
  ? as dibs_locked_until,
  jobs.body,
  case
    when jobs.locked_until is not null then 1
    else 0
  end as dibs_ran_out
from jobs
where (
  jobs.topic = ?
  and jobs.retry_after <= ?
  and (
    jobs.locked_until is null
    or jobs.locked_until <= ?
  )
  and jobs.urgency = ?
)
order by jobs.retry_after, jobs.job_id
limit ?

update jobs
set
  locked_until = ?,
  claim_token = ?,
  tries = (coalesce(jobs.tries, 0) + ?)
where jobs.job_id = ?

-- lease, of queues that can be paused

select (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)

select min(jobs.urgency)
from jobs
where jobs.topic = ?

select
  jobs.job_id,
  (coalesce(jobs.tries, 0) + ?) as tries,
  jobs.urgency,
  jobs.retry_after as dibs_retry_after,
  ? as dibs_locked_until,
  jobs.body,
  case
    when jobs.locked_until is not null then 1
    else 0
  end as dibs_ran_out
from jobs
where (
  jobs.topic = ?
  and jobs.retry_after <= ?
  and (
    jobs.locked_until is null
    or jobs.locked_until <= ?
  )
  and coalesce(
    (
      select switches.off
      from switches
      where switches.topic = ?
    ),
    0
  ) = 0
  and jobs.urgency = ?
)
order by jobs.retry_after, jobs.job_id
limit ?

update jobs
set
  locked_until = ?,
  claim_token = ?,
  tries = (coalesce(jobs.tries, 0) + ?)
where jobs.job_id = ?

-- lease, ordered by a key

select (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)

select min(jobs.urgency)
from jobs
where jobs.topic = ?

select
  jobs.job_id,
  (coalesce(jobs.tries, 0) + ?) as tries,
  jobs.urgency,
  jobs.retry_after as dibs_retry_after,
  ? as dibs_locked_until,
  jobs.body,
  case
    when jobs.locked_until is not null then 1
    else 0
  end as dibs_ran_out
from jobs
where (
  jobs.topic = ?
  and jobs.retry_after <= ?
  and (
    jobs.locked_until is null
    or jobs.locked_until <= ?
  )
  and not exists (
    select 1 as one
    from jobs as dibs_other
    where (
      dibs_other.topic = ?
      and dibs_other.account = jobs.account
      and 1 = 1
      and (
        dibs_other.job_id < jobs.job_id
        or not (dibs_other.locked_until <= ?)
      )
    )
  )
  and jobs.urgency = ?
)
order by jobs.retry_after, jobs.job_id
limit ?

update jobs
set
  locked_until = ?,
  claim_token = ?,
  tries = (coalesce(jobs.tries, 0) + ?)
where jobs.job_id = ?

-- advisory

select min(jobs.urgency)
from jobs
where jobs.topic = ?

select
  jobs.job_id,
  ('jobs.' || coalesce(
    cast(jobs.account as varchar),
    ''
  ))
from jobs
where (
  jobs.topic = ?
  and jobs.retry_after <= (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
  and jobs.urgency = ?
)
order by jobs.retry_after, jobs.job_id
limit ?

update jobs
set
  tries = (coalesce(jobs.tries, 0) + ?)
where (
  jobs.job_id = ?
  and jobs.topic = ?
  and jobs.retry_after <= (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
)

select
  jobs.job_id,
  jobs.tries,
  jobs.urgency,
  jobs.retry_after as dibs_retry_after,
  jobs.body
from jobs
where (
  jobs.job_id = ?
  and jobs.topic = ?
  and jobs.retry_after <= (cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
)


-- Times are microseconds since 1970-01-01 00:00 UTC.
alter table mail add column send_after bigint not null default 0;
alter table mail add column tries int not null default 0;
alter table mail add column claimed_until bigint;

create index mail_claim on mail (send_after, mail_id);

-- Dibs: the managed tables on SQLite 3.35 or later.
--
-- ${dibs_prefix} stands before each name. Names are quoted, so any prefix without a double quote works.
-- Times are microseconds since 1970-01-01 00:00 UTC, computed in integers; SQLite's clock ticks in milliseconds.
-- Type names are chosen for jOOQ, which reads them literally; only "integer primary key" is SQLite's own word.

create table "${dibs_prefix}message" (
  "id"           integer primary key autoincrement, -- autoincrement: an id is never given twice
  "queue"        varchar(200) not null check (length("queue") <= 200), -- SQLite reads varchar(200) as text
  "payload"      text not null,
  "priority"     int not null default 0,            -- smaller first
  "due_at"       bigint not null default (
    cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000),
  "attempt"      int not null default 0,            -- deliveries so far
  "leased_until" bigint,
  "lease_token"  bigint,
  "order_key"    varchar(200) check (length("order_key") <= 200),
  "dedup_key"    varchar(200) check (length("dedup_key") <= 200),
  "headers"      text,                              -- a JSON object of strings
  "error"        text,                              -- of the last failed attempt
  "created_at"   bigint not null default (
    cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
);

-- No index of this table holds a column that a claim changes (leased_until, lease_token, attempt).
create index "${dibs_prefix}message_claim"
  on "${dibs_prefix}message" ("queue", "priority", "due_at", "id");

create index "${dibs_prefix}message_order"
  on "${dibs_prefix}message" ("queue", "order_key", "id") where "order_key" is not null;

create unique index "${dibs_prefix}message_dedup"
  on "${dibs_prefix}message" ("queue", "dedup_key") where "dedup_key" is not null;

create table "${dibs_prefix}dead_letter" (
  "id"         bigint not null primary key,         -- the message's id, copied
  "queue"      varchar(200) not null,
  "payload"    text not null,
  "priority"   int not null default 0,
  "due_at"     bigint not null,
  "attempt"    int not null default 0,
  "order_key"  varchar(200),
  "dedup_key"  varchar(200),
  "headers"    text,
  "created_at" bigint,
  "reason"     text,                                -- why it is here
  "died_at"    bigint not null default (
    cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
);

create index "${dibs_prefix}dead_letter_died"
  on "${dibs_prefix}dead_letter" ("queue", "died_at", "id");

create table "${dibs_prefix}queue" (
  "name"       varchar(200) not null primary key,
  "paused"     int not null default 0 check ("paused" in (0, 1)),
  "paused_at"  bigint,
  "settings"   text,                                -- a JSON object
  "updated_at" bigint not null default (
    cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000)
);

create table "${dibs_prefix}result" (
  "message_id"  bigint not null primary key,
  "outcome"     varchar(20) not null,
  "value"       text,
  "finished_at" bigint not null default (
    cast(strftime('%s', 'now') as integer) * 1000000 + cast(substr(strftime('%f', 'now'), 4) as integer) * 1000),
  "expires_at"  bigint not null
);

create index "${dibs_prefix}result_expires"
  on "${dibs_prefix}result" ("expires_at");

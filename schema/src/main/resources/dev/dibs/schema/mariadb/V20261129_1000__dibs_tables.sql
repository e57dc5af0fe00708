-- Dibs: the managed tables on MariaDB 10.6 or later.
--
-- ${dibs_schema} is the database they live in, ${dibs_prefix} stands before each name. Both are quoted, so any name
-- without a backtick works. Times are microseconds since 1970-01-01 00:00 UTC, computed from utc_timestamp, so the
-- session's zone has no say. Keys compare as bytes, trailing spaces included: utf8mb4_nopad_bin.
--
-- MariaDB cannot roll a table back, so each statement makes one whole table with its indexes or none, and passes over
-- one that is there: a script that was cut short is run again from the start.

create table if not exists `${dibs_schema}`.`${dibs_prefix}message` (
  `id`           bigint not null auto_increment primary key,
  `queue`        varchar(200) not null,
  `payload`      longtext not null,
  `priority`     int not null default 0,            -- smaller first
  `due_at`       bigint not null default (timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', utc_timestamp(6))),
  `attempt`      int not null default 0,            -- deliveries so far
  `leased_until` bigint,
  `lease_token`  bigint,
  `order_key`    varchar(200),
  `dedup_key`    varchar(200),
  `headers`      longtext,                          -- a JSON object of strings
  `error`        longtext,                          -- of the last failed attempt
  `created_at`   bigint not null default (timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', utc_timestamp(6))),
  -- No index of this table holds a column that a claim changes (leased_until, lease_token, attempt).
  index `${dibs_prefix}message_claim` (`queue`, `priority`, `due_at`, `id`),
  index `${dibs_prefix}message_order` (`queue`, `order_key`, `id`),
  unique index `${dibs_prefix}message_dedup` (`queue`, `dedup_key`) -- any number of nulls
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists `${dibs_schema}`.`${dibs_prefix}dead_letter` (
  `id`         bigint not null primary key,         -- the message's id, copied
  `queue`      varchar(200) not null,
  `payload`    longtext not null,
  `priority`   int not null default 0,
  `due_at`     bigint not null,
  `attempt`    int not null default 0,
  `order_key`  varchar(200),
  `dedup_key`  varchar(200),
  `headers`    longtext,
  `created_at` bigint,
  `reason`     longtext,                            -- why it is here
  `died_at`    bigint not null default (timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', utc_timestamp(6))),
  index `${dibs_prefix}dead_letter_died` (`queue`, `died_at`, `id`)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists `${dibs_schema}`.`${dibs_prefix}queue` (
  `name`       varchar(200) not null primary key,
  `paused`     int not null default 0 check (`paused` in (0, 1)),
  `paused_at`  bigint,
  `settings`   longtext,                            -- a JSON object
  `updated_at` bigint not null default (timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', utc_timestamp(6)))
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate utf8mb4_nopad_bin;

create table if not exists `${dibs_schema}`.`${dibs_prefix}result` (
  `message_id`  bigint not null primary key,
  `outcome`     varchar(20) not null,
  `value`       longtext,
  `finished_at` bigint not null default (timestampdiff(microsecond, timestamp'1970-01-01 00:00:00', utc_timestamp(6))),
  `expires_at`  bigint not null,
  index `${dibs_prefix}result_expires` (`expires_at`)
) engine = InnoDB row_format = dynamic default character set utf8mb4 collate utf8mb4_nopad_bin;

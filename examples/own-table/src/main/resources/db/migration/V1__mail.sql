create table mail (
  mail_id   integer primary key autoincrement,
  recipient varchar(200) not null,
  subject   varchar(200) not null
);

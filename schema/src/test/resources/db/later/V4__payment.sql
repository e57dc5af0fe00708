create table payment (id int not null primary key);

create table customer (id int not null primary key);

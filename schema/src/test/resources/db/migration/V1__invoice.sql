create table invoice (id int not null primary key);

alter table invoice add customer_id int;

-- One row per DDL statement of a unit test.
select '' as ddl_text
where false

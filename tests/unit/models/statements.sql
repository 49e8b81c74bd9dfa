-- One row per DDL statement of a unit test.
select
    '' as ddl_text,
    '' as source_table
where false

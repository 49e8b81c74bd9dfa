-- One row per payload of a unit test.
select
    '' as name,
    '' as value
where false

{#
  Writes those hashes to the table erased_rows that it does not have yet.

  Arguments:
    erased (relation): the table erased_rows.
    hashes (string): a SELECT of the column row_hash.
#}
{% macro record_erasure_hashes(erased, hashes) %}
    {%- set statement -%}
        insert into {{ erased }}
        select distinct row_hash, current_timestamp() as erased_at
        from ({{ hashes }}) as hashes
        left anti join {{ erased }} as recorded using (row_hash)
    {%- endset -%}
    {%- do run_query(statement) -%}
{% endmacro %}

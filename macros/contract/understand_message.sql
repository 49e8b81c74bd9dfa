{#
  Prints SQL for what a message is, the same for every format, from what its format `said` (null: unread): a struct of the
  columns that select_events needs. A message is what it says, or rejected as a whole, and then it has no rows.
#}
{% macro understand_message() -%}
    {%- set words = get_operations() -%}
    {%- set ddl = [] -%}
    {%- for word, meaning in words.items() if meaning[0] == 'ddl' %}{% do ddl.append(word) %}{% endfor -%}
    {%- set lets = {
        'source_name': 'coalesce(settings.source, said.source_name, source_format)',
        'statement': ddl_statement('said.ddl_text'),
        'ddl_word': "case when said.operation in ('" ~ ddl | join("', '") ~ "') then coalesce(" ~ ddl_operation('statement') ~ ", '') end",
        'operation': "case when is_tombstone then 'tombstone' when ddl_word = 'truncate' then 'truncate' "
            ~ "when said.operation = 'ddl' then coalesce(nullif(ddl_word, ''), 'other') else said.operation end",
        'needs': "case when operation in ('insert', 'update', 'snapshot') then 'after_row' when operation in ('delete', 'update_before') then 'before_row' end",
        'key_columns': 'array_sort(array_distinct(coalesce(' ~ table_setting('key', 'null', 'said.')
            ~ ', if(size(said.key_columns) > 0, said.key_columns, null), settings.key)))',
        'rows': exact_rows('said.rows', 'key_columns'),
    } -%}
    {%- for name, expression in lets.items() %}
    element_at(transform(array({{ expression | indent(4) }}), {{ name }} ->
    {%- endfor %}
    struct(
        source_name,
        {%- for name in get_format_columns() if name not in ['source_name', 'operation', 'key_columns', 'before_row', 'after_row'] %}
        {{ "coalesce(said." ~ name ~ ", '') as " ~ name if name in ['source_tenant', 'source_database', 'source_schema', 'source_table'] else 'said.' ~ name }},
        {%- endfor %}
        said.hidden_columns,
        said.ddl_targets,
        statement as ddl_statement,
        operation,
        ddl_word is not null and ddl_word <> 'truncate' as is_ddl,
        needs,
        key_columns,
        {{ judge_message() | indent(8) }} as reject,
        rows
    )
    {%- for name in lets %}), 1){% endfor %}
{%- endmacro %}

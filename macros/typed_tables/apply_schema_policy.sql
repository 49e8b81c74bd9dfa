{#
  Returns the columns that a typed table gets when the columns of its source have changed.

  A column that the source no longer has stays, as long as its events are there. New rows have null
  in it. The log has a line per column that is added or retyped. A full refresh always follows the
  source.

  Arguments:
    request (dict[string, any]): see typed_table_query.
    before (list[dict[string, any]]): the columns of the table, see get_typed_columns.
    after (list[dict[string, any]]): the columns of the source.

  Returns: a mapping. It raises an error with the policy exception.
    * columns: before with the policy ignore, else after.
    * changes: the rows of the model applied_schema_changes, a list of mappings.
#}
{% macro apply_schema_policy(request, before, after) %}
    {%- set types = {} -%}
    {%- for column in before -%}
        {%- do types.update({column.typed_name: column.spark_type}) -%}
    {%- endfor -%}
    {%- set changes, texts = [], [] -%}
    {%- for column in after if types.get(column.typed_name) != column.spark_type -%}
        {%- set type_before = types.get(column.typed_name) -%}
        {%- do changes.append({
            'column_name': column.typed_name,
            'change': 'added' if type_before is none else 'retyped',
            'type_before': type_before,
            'type_after': column.spark_type,
            'policy': request.on_schema_change,
            'applied_at': run_started_at.strftime('%Y-%m-%d %H:%M:%S.%f') ~ 'Z',
        }) -%}
        {%- do texts.append(
            'column ' ~ column.typed_name ~ ' ' ~ (
                column.spark_type ~ ' is new' if type_before is none
                else type_before ~ ' is now ' ~ column.spark_type
            )
        ) -%}
    {%- endfor -%}

    {%- set is_free = should_full_refresh() -%}
    {%- if request.on_schema_change == 'ignore' and not is_free -%}
        {{ return({'columns': before, 'changes': []}) }}
    {%- elif changes and request.on_schema_change == 'exception' and not is_free -%}
        {{ kafka_cdc.raise_error(
            'the source changed ' ~ request.table ~ ': ' ~ texts | join('; '),
            'set on_schema_change of ' ~ this ~ ' to evolve or ignore, or run it with --full-refresh'
        ) }}
    {%- endif -%}
    {%- for text in texts -%}
        {%- do log(this ~ ': ' ~ text, info=true) -%}
    {%- endfor -%}
    {{ return({'columns': after, 'changes': changes}) }}
{% endmacro %}

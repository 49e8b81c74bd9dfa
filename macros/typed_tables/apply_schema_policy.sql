{#
  Returns the columns that a typed table gets when the columns of its source have changed.

  A column that the source no longer has stays, as long as its events are there. New rows have null
  in it. The log has a line per column that is added or retyped.

  Arguments:
    request (dict[string, any]): see typed_table_query.
    before (list[dict[string, any]]): the columns of the table, see get_typed_columns.
    after (list[dict[string, any]]): the columns of the source.

  Returns: before with the policy ignore, else after. It raises an error with exception.
#}
{% macro apply_schema_policy(request, before, after) %}
    {%- set types = {} -%}
    {%- for column in before -%}
        {%- do types.update({column.typed_name: column.spark_type}) -%}
    {%- endfor -%}
    {%- set changes = [] -%}
    {%- for column in after -%}
        {%- if column.typed_name not in types -%}
            {%- do changes.append('column ' ~ column.typed_name ~ ' ' ~ column.spark_type ~ ' is new') -%}
        {%- elif types[column.typed_name] != column.spark_type -%}
            {%- do changes.append(
                'column ' ~ column.typed_name ~ ' ' ~ types[column.typed_name] ~ ' is now ' ~ column.spark_type
            ) -%}
        {%- endif -%}
    {%- endfor -%}

    {%- if request.on_schema_change == 'ignore' -%}
        {{ return(before) }}
    {%- elif changes and request.on_schema_change == 'exception' -%}
        {{ kafka_cdc.raise_error(
            'the source changed ' ~ request.table ~ ': ' ~ changes | join('; '),
            'set on_schema_change of ' ~ this ~ ' to evolve or ignore, or run it with --full-refresh'
        ) }}
    {%- endif -%}
    {%- for change in changes -%}
        {%- do log(this ~ ': ' ~ change, info=true) -%}
    {%- endfor -%}
    {{ return(after) }}
{% endmacro %}

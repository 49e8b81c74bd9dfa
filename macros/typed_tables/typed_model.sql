{#
  Prints the typed model of a stream, Jinja and SQL that is ready to save.

  Arguments:
    stream (dict[string, any]): the stream, see get_table_stream.
    columns (list[dict[string, any]]): its columns, see get_typed_columns.
#}
{% macro typed_model(stream, columns) -%}
{%- set package = kafka_cdc.get_package_prefix() -%}
{%- set current_state = "ref('kafka_cdc', 'current_state')" if package else "ref('kafka_cdc', 'current_state')" -%}

{%- set grain = 'One row per live row of ' ~ stream.path ~ ' (' ~ stream.key | join(', ') ~ '), '
    ~ 'of the source ' ~ stream.tables.source_name ~ '.' -%}
{%- set grain = modules.re.sub('[\\x00-\\x1f\\x85\\u2028\\u2029]+|[$](?=[{])', ' ', grain) -%}

{%- set decoded = [] -%}
{%- for column in columns if column.macro != 'decode_text' -%}
    {%- set name = kafka_cdc.get_quoted_string(column.name) -%}
    {%- set typed_name = kafka_cdc.get_quoted_string(kafka_cdc.quoted_column_name(column.typed_name)) -%}
    {%- set spark_type = kafka_cdc.get_quoted_string(column.spark_type) -%}
    {%- do decoded.append(name ~ ': [' ~ typed_name ~ ', ' ~ spark_type ~ ']') -%}
{%- endfor -%}

-- {{ kafka_cdc.get_escaped_jinja(grain) }}
with decoded as (
    select
        row_values,
        {%- for column in columns %}
        {{ kafka_cdc._decoded_column(column, package) }} as {{ kafka_cdc._escaped_name(column) }}
        {{- ',' if not loop.last }}
        {%- endfor %}
    from {{ '{{ ' ~ current_state ~ ' }}' }}
    where
        {%- for part, text in stream.tables.items() %}
        {%- set literal = kafka_cdc.sql_literal(text) %}
        {{ 'and ' if not loop.first }}{{ part }} = {{ kafka_cdc.get_escaped_jinja(literal) }}
        {%- endfor %}
)

select
    {%- for column in columns %}
    {{ kafka_cdc._escaped_name(column) }},
    {%- endfor %}
    {{ '{{ ' ~ package ~ 'undecoded({' }}
    {%- for column in decoded %}
        {{ column }}{{ ',' if not loop.last else '\n    ' }}
    {%- endfor -%}
    {{ '}) }}' }} as undecoded
from decoded
{%- endmacro %}

{# Prints the text of a column, or the call of its decoder. #}
{% macro _decoded_column(column, package) -%}
    {%- set text = 'row_values[' ~ kafka_cdc.sql_literal(column.name) ~ ']' -%}
    {%- if column.macro == 'decode_text' -%}
    {{ kafka_cdc.get_escaped_jinja(text) }}
    {%- else -%}
    {%- set arguments = [kafka_cdc.get_quoted_string(text)] -%}
    {%- for argument in column.arguments if argument is not none -%}
        {%- if argument is string -%}
            {%- do arguments.append("'" ~ argument ~ "'") -%}
        {%- elif argument is sequence and argument is not mapping and argument -%}
            {%- set words = [] -%}
            {%- for word in argument -%}
                {%- do words.append(kafka_cdc.get_quoted_string(word)) -%}
            {%- endfor -%}
            {%- do arguments.append('[' ~ words | join(', ') ~ ']') -%}
        {%- else -%}
            {%- do arguments.append(tojson(argument)) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ '{{ ' ~ package ~ column.macro ~ '(' ~ arguments | join(', ') ~ ') }}' }}
    {%- endif -%}
{%- endmacro %}

{# Prints a column's typed name for SQL in a file that dbt renders. #}
{% macro _escaped_name(column) -%}
    {{ kafka_cdc.get_escaped_jinja(kafka_cdc.quoted_column_name(column.typed_name)) }}
{%- endmacro %}

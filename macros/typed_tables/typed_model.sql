{# Prints the typed model of a stream (get_table_stream) with its columns (get_typed_columns): jinja and SQL, ready to save. #}
{% macro typed_model(stream, columns) -%}
{%- set package = kafka_cdc.get_package_prefix() -%}
{%- set current_state = "ref('current_state')" if not package else "ref('kafka_cdc', 'current_state')" -%}
{%- set typed = [] -%}
{%- set grain = 'One row per live row of ' ~ stream.path ~ ' (' ~ stream.key | join(', ') ~ '), of the source ' ~ stream.tables.source_name ~ '.' -%}
-- {{ kafka_cdc.get_escaped_jinja(modules.re.sub('[\\x00-\\x1f\\x85\\u2028\\u2029]+|[$](?=[{])', ' ', grain)) }}
with decoded as (
    select
        row_values,
        {%- for column in columns %}
        {{ kafka_cdc._decoded(column, package) }} as {{ kafka_cdc.get_escaped_jinja(kafka_cdc._quoted(column.typed_name)) }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ '{{ ' ~ current_state ~ ' }}' }}
    where
        {%- for part, text in stream.tables.items() %}
        {{ 'and ' if not loop.first }}{{ part }} = {{ kafka_cdc.get_escaped_jinja(kafka_cdc.single_line_sql_literal(text)) }}
        {%- endfor %}
)

select
    {%- for column in columns %}
    {{ kafka_cdc.get_escaped_jinja(kafka_cdc._quoted(column.typed_name)) }},
    {%- if column.macro != 'decode_text' %}{% do typed.append(kafka_cdc.get_quoted_string(column.name) ~ ': [' ~ kafka_cdc.get_quoted_string(kafka_cdc._quoted(column.typed_name)) ~ ', ' ~ kafka_cdc.get_quoted_string(column.spark_type) ~ ']') %}{% endif %}
    {%- endfor %}
    {{ '{{ ' ~ package ~ 'undecoded({' }}
    {%- for column in typed %}
        {{ column }}{{ ',' if not loop.last else '\n    ' }}
    {%- endfor -%}
    {{ '}) }}' }} as undecoded
from decoded
{%- endmacro %}

{# Prints the text of a column, or the call of its decoder. #}
{% macro _decoded(column, package) -%}
    {%- set text = 'row_values[' ~ kafka_cdc.single_line_sql_literal(column.name) ~ ']' -%}
    {%- set arguments = [] -%}
    {%- for argument in column.arguments if argument is not none -%}
        {%- set words = [] -%}
        {%- for word in (argument if argument is sequence and argument is not string and argument is not mapping else []) %}{% do words.append(kafka_cdc.get_quoted_string(word)) %}{% endfor -%}
        {%- do arguments.append("'" ~ argument ~ "'" if argument is string else '[' ~ words | join(', ') ~ ']' if words else tojson(argument)) -%}
    {%- endfor -%}
    {%- if column.macro == 'decode_text' -%}
    {{ kafka_cdc.get_escaped_jinja(text) }}
    {%- else -%}
    {{ '{{ ' ~ package ~ column.macro ~ '(' ~ ([kafka_cdc.get_quoted_string(text)] + arguments) | join(', ') ~ ') }}' }}
    {%- endif -%}
{%- endmacro %}

{# Prints a column's name, quoted where it is not a plain lower-case word or may be a keyword. #}
{% macro _quoted(name) -%}
    {%- set keywords = ['all', 'and', 'as', 'by', 'case', 'cross', 'current', 'date', 'delete', 'desc', 'distinct', 'end', 'false', 'from', 'full', 'group',
        'having', 'in', 'inner', 'insert', 'interval', 'is', 'join', 'left', 'like', 'not', 'null', 'on', 'or', 'order', 'right', 'row', 'select', 'set',
        'table', 'then', 'time', 'timestamp', 'to', 'true', 'union', 'update', 'user', 'using', 'values', 'when', 'where', 'with'] -%}
    {%- if modules.re.match('[a-z_][a-z0-9_]*\\Z', name) and name not in keywords -%} {{ name }}
    {%- else -%} `{{ name | replace('`', '``') }}`
    {%- endif -%}
{%- endmacro %}

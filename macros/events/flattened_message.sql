{#
  Prints SQL for one format's reading of a message: a struct of the format's columns, cast and in order, its rows (before_row,
  after_row), the columns to hide, the tables that it lists beside a DDL text, and its reject where the format finds one; null
  where the payload cannot be read.
#}
{% macro flattened_message(slug) -%}
    {%- set format = kafka_cdc.get_format(slug) -%}
    {%- set row_type = kafka_cdc.get_format_columns()['before_row'] -%}
    {%- set row = 'struct(cast(' ~ format.columns.before_row ~ ' as ' ~ row_type ~ ') as before_row, cast('
        ~ format.columns.after_row ~ ' as ' ~ row_type ~ ') as after_row)' -%}
    {%- set said -%}
    struct(
        {%- for name, type in kafka_cdc.get_format_columns().items() if name not in ['before_row', 'after_row'] %}
        cast({{ format.columns[name] }} as {{ type }}) as {{ name }},
        {%- endfor %}
        {% if format.rows -%} transform({{ format.rows }}, row -> {{ row }}) {%- else -%} array({{ row }}) {%- endif %} as rows,
        cast({{ format.hidden_columns or 'null' }} as array<string>) as hidden_columns,
        cast({{ format.ddl_targets or 'null' }} as array<string>) as ddl_targets,
        cast({{ format.snapshot_mark or 'null' }} as string) as snapshot_mark,
        case
            {%- for field, expression in format.required.items() %}
            when {{ expression }} is null then {{ kafka_cdc.reject_struct('missing_field', kafka_cdc.sql_literal(field) | trim) }}
            {%- endfor %}
            {%- for rule in format.rejects %}
            when {{ rule.condition }} then {{ kafka_cdc.reject_struct('contradiction', kafka_cdc.sql_literal(rule.detail) | trim) }}
            {%- endfor %}
        end as reject
    )
    {%- endset -%}
    {%- set read = format.read or kafka_cdc.read_json_object('guarded_value', 'sentinel', format.fields) -%}
    {%- if format.otherwise -%}
        {%- set other = kafka_cdc.sql_let({slug: kafka_cdc.read_json_object('guarded_value', 'sentinel', format.otherwise.fields)}, 'if(' ~ slug ~ ' is null, null, ' ~ format.otherwise.struct ~ ')') -%}
        {%- set read = 'coalesce(' ~ read ~ ', ' ~ other ~ ')' -%}
    {%- endif -%}
    {{ kafka_cdc.sql_let({slug: read}, 'if(' ~ slug ~ ' is null, null, ' ~ kafka_cdc.sql_let(format.variables, said) ~ ')') }}
{%- endmacro %}

{#
  Prints an expression: a message as one format parses it, null if the payload cannot be parsed.

  If the format has the entry `changes`, it is an array with one struct for each change. A message
  without changes has one struct. The struct has these fields:
  * the columns of get_format_columns without the rows, cast and in order
  * rows: an array of structs with before_row and after_row
  * hidden_columns: the columns to leave out of the rows
  * ddl_targets: the tables that the message lists next to a DDL text
  * snapshot_mark: the message's mark in a source snapshot
  * paths: the paths of a partial image into documents
  * reject: the format's own reject, null if it has none

  Arguments:
    slug (string): the format's slug. The format's SQL reads the parsed object by this name.

  Requires: the columns that select_recognized_messages yields.
#}
{% macro flattened_message(slug) -%}
    {%- set format = kafka_cdc.get_format(slug) -%}
    {%- set row_type = kafka_cdc.get_format_columns()['before_row'] -%}

    {%- set row -%}
    struct(
            cast({{ format.columns.before_row }} as {{ row_type }}) as before_row,
            cast({{ format.columns.after_row }} as {{ row_type }}) as after_row
        )
    {%- endset -%}

    {%- set rows = 'transform(' ~ format.rows ~ ', row -> ' ~ row ~ ')' if format.rows else 'array(' ~ row ~ ')' -%}

    {%- set message -%}
    struct(
        {%- for name, type in kafka_cdc.get_format_columns().items() if name not in ['before_row', 'after_row'] %}
        cast({{ format.columns[name] }} as {{ type }}) as {{ name }},
        {%- endfor %}
        {{ rows }} as rows,
        cast({{ format.hidden_columns or 'null' }} as array<string>) as hidden_columns,
        cast({{ format.ddl_targets or 'null' }} as array<string>) as ddl_targets,
        cast({{ format.snapshot_mark or 'null' }} as string) as snapshot_mark,
        cast({{ format.paths or 'null' }} as {{ kafka_cdc.get_event_columns().paths }}) as paths,
        case
            {%- if format.unknown_connector %}
            when {{ format.unknown_connector }} is not null
                then {{ kafka_cdc.reject_struct('unknown_connector', format.unknown_connector) }}
            {%- endif %}
            {%- for field, expression in format.required.items() %}
            when {{ expression }} is null
                then {{ kafka_cdc.reject_struct('missing_field', kafka_cdc.sql_literal(field)) }}
            {%- endfor %}
            {%- for rule in format.rejects %}
            when {{ rule.condition }}
                then {{ kafka_cdc.reject_struct('contradiction', kafka_cdc.sql_literal(rule.detail)) }}
            {%- endfor %}
        end as reject
    )
    {%- endset -%}

    {%- set read = format.read or kafka_cdc._parsed_document(format.fields, format.informational) -%}

    {#- A document of the format's other shape becomes the struct of the first shape. -#}
    {%- if format.otherwise -%}
        {%- set other_document = kafka_cdc._parsed_document(format.otherwise.fields, format.informational) -%}
        {%- set converted = 'if(' ~ slug ~ ' is null, null, ' ~ format.otherwise.struct ~ ')' -%}
        {%- set read = 'coalesce(' ~ read ~ ', ' ~ kafka_cdc.sql_let({slug: other_document}, converted) ~ ')' -%}
    {%- endif -%}

    {%- set message = kafka_cdc.sql_let(format.variables, message) -%}
    {%- if format.changes -%}
        {%- set changes = 'if(size(' ~ format.changes ~ ') > 0, ' ~ format.changes ~ ', array(null))' -%}
        {%- set message = 'transform(' ~ changes ~ ', change -> ' ~ message ~ ')' -%}
    {%- endif -%}

    {%- set flattened = 'if(' ~ slug ~ ' is null, null, ' ~ message ~ ')' -%}
    {{ kafka_cdc.sql_let({slug: read}, flattened) }}
{%- endmacro %}

{# Prints an expression: the parsed payload. An informational field of another JSON type is null. #}
{% macro _parsed_document(fields, informational) -%}
    {%- set essential = namespace(fields=fields) -%}
    {#- A text has any type. -#}
    {%- for field in informational -%}
        {%- set essential.fields = essential.fields.replace(field, field.split(' ')[0] ~ ' string') -%}
    {%- endfor -%}
    {{ kafka_cdc.read_json_object('guarded_value', 'sentinel', fields, essential.fields) }}
{%- endmacro %}

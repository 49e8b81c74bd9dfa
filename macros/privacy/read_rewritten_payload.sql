{# Returns how a payload begins that forget_row has rewritten. #}
{% macro get_rewritten_mark() %}{{ return('{"kafka_cdc_rewritten":') }}{% endmacro %}

{# Prints SQL for the events that a rewritten payload (value) holds, an array of the event contract. #}
{% macro read_rewritten_payload() -%}
    {%- set columns = [] -%}
    {%- for name, type in get_event_columns().items() %}{% do columns.append(name ~ ': ' ~ type) %}{% endfor -%}
    from_json(value, 'kafka_cdc_rewritten array<struct<{{ columns | join(', ') }}>>', {{ _rewritten_options() }}).kafka_cdc_rewritten
{%- endmacro %}

{# Prints SQL for a rewritten payload, from the aggregated rows of a message's events. #}
{% macro rewritten_payload() -%}
    to_json(
        named_struct('kafka_cdc_rewritten', array_sort(
            collect_list(struct({{ get_event_columns().keys() | join(', ') }})),
            (one, other) -> one.row_index - other.row_index
        )),
        {{ _rewritten_options() }}
    )
{%- endmacro %}

{# Prints the options of to_json and from_json by which events come back as they were. #}
{% macro _rewritten_options() -%}
    map('timestampFormat', "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX", 'maxStringLen', '2147483647', 'maxNestingDepth', '2147483647')
{%- endmacro %}

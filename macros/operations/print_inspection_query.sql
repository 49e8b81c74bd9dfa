{#
  Prints what the command `kafka-cdc inspect` needs: the SELECT of the events in a landing batch, as JSON.

  The members are query and mapped_formats. The query yields the event contract and these columns:
  * mapped_format: the format to which the setting topics maps the topic, or null.
  * table_key: the key columns of the table in the setting tables, or null.
  * topic_key: the key columns in the setting topics, or null.
  * order_by: what orders the table in the setting tables, or null.

  The events are those of the model events and of the staging views.

  Arguments:
    batch (integer): the landing batch.
#}
{% macro print_inspection_query(batch) %}
    {%- if execute -%}
        {%- set events = kafka_cdc.select_events_of_batches([batch]) -%}

        {%- set query -%}
select
    *,
    {{ kafka_cdc.topic_settings('kafka_topic') | indent(4) }}.format as mapped_format,
    array_sort({{ kafka_cdc.table_setting('key', 'cast(null as array<string>)') | indent(4) }}) as table_key,
    array_sort({{ kafka_cdc.topic_settings('kafka_topic') | indent(4) }}.key) as topic_key,
    cast({{ kafka_cdc.table_setting('order_by') | indent(4) }} as string) as order_by
from (
    {{ events | indent(4) }}
)
        {%- endset -%}

        {{ print(tojson({
            'query': query,
            'mapped_formats': kafka_cdc.get_topic_settings() | map(attribute='format') | reject('none') | list,
        })) }}
    {%- endif -%}
{% endmacro %}

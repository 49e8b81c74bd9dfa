{#
  Prints what the command `kafka-cdc inspect` needs: the SELECT of the events in a landing batch, as JSON.

  The members are these:
  * mapped_formats: the formats that the setting topics names.
  * lookalikes: a format to the other formats whose rows `auto` reads as it, without formats that have none.
  * query: it yields the event contract and the columns below.

  The columns of the query:
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

        {%- set lookalikes = {} -%}
        {%- for slug in kafka_cdc.get_formats() if kafka_cdc.get_format(slug).lookalikes -%}
            {%- do lookalikes.update({slug: kafka_cdc.get_format(slug).lookalikes}) -%}
        {%- endfor -%}
        {{ print(tojson({
            'query': query,
            'lookalikes': lookalikes,
            'mapped_formats': kafka_cdc.get_topic_settings() | map(attribute='format') | reject('none') | list,
        })) }}
    {%- endif -%}
{% endmacro %}

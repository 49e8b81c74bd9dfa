{#
  Prints a condition: the present setting `topics` would not read these messages in this way.

  Requires: the columns `source_format` and `source_name` of event_batch_stats, and `settings`, the
  settings of their topic (topic_settings).
#}
{% macro outdated_mapping_condition() -%}
{%- set unrecognized, unnamed = [], [] -%}
{%- for slug in kafka_cdc.get_formats() -%}
{%- set format = kafka_cdc.get_format(slug) -%}
{%- if format.recognized_by.condition == 'false' -%}
{%- do unrecognized.append(slug) -%}
{%- endif -%}
{%- if format.columns.source_name == 'null' -%}
{%- do unnamed.append(slug) -%}
{%- endif -%}
{%- endfor -%}
(
    settings.format is not null and not settings.format <=> source_format
    or settings.source is not null and not settings.source <=> source_name
    -- auto never recognizes these formats
    or settings.format is null
    and source_format in (
        '{{ unrecognized | join("',\n        '") }}'
    )
    -- no message of these formats names its source
    or settings.source is null
    and source_name <> source_format
    and source_format in (
        '{{ unnamed | join("',\n        '") }}'
    )
)
{%- endmacro %}

{#
  Prints an expression: the column types of an event with the masks of its table applied.

  A hashed or shortened column has the stamp of get_mask_rules as its type, such as
  masked(0123456789ab). It shows later that masks have changed (select_remasked_tables). A dropped
  column has no type. If no type shows the stamp, the entry `*` does.

  Arguments:
    column_types (string): SQL of the types in the message, map<string, string>. It may be null.

  Requires: the columns `mask_line`, `required_image` and `reject`, and those of get_table_columns.
#}
{% macro masked_column_types(column_types) -%}
    {%- if kafka_cdc.has_masks() -%}
    case
        when mask_line is null or required_image is null or reject is not null then {{ column_types }}
        {%- for line in kafka_cdc.get_mask_rules() %}
        when mask_line = {{ loop.index0 }} then {{ kafka_cdc._stamped_types(column_types, line) | indent(12) }}
        {%- endfor %}
    end
    {%- else -%}
    {{ column_types }}
    {%- endif -%}
{%- endmacro %}

{# Prints an expression: column types with the stamp of an entry of get_mask_rules. #}
{% macro _stamped_types(column_types, line) -%}
    {%- set stamp = "'" ~ line.stamp ~ "'" -%}
    {%- set masks = line.rules | map(attribute='mask') | unique | list -%}
    {%- set types = namespace(sql=column_types) -%}
    {%- if 'drop' in masks -%}
        {%- set is_kept = kafka_cdc.mask_case(line.rules, {'drop': 'false'}, 'true') -%}
        {%- set types.sql = 'map_filter(' ~ types.sql ~ ', (name, type) -> ' ~ is_kept ~ ')' -%}
    {%- endif -%}
    {%- if 'hash' in masks or 'last4' in masks -%}
        {%- set type = kafka_cdc.mask_case(line.rules, {'hash': stamp, 'last4': stamp}, 'type') -%}
        {%- set types.sql = 'transform_values(' ~ types.sql ~ ', (name, type) -> ' ~ type ~ ')' -%}
    {%- endif -%}
    {#- Most maps have the stamp already. Adding an entry copies and hashes all others. -#}
    {%- set with_entry -%}
    case
        when masked_types is null then map('*', {{ stamp }})
        when array_contains(map_values(masked_types), {{ stamp }}) then masked_types
        else map_concat(masked_types, map('*', {{ stamp }}))
    end
    {%- endset -%}
    {{ kafka_cdc.sql_let({'masked_types': types.sql}, with_entry) }}
{%- endmacro %}

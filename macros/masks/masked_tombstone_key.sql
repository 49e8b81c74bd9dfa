{#
  Prints an expression: the key of a tombstone with masks applied, a map of column to text.

  A tombstone does not name its table. A column is therefore hashed if any line of the setting
  `tables` hashes a column of this name. Without masks it is the key itself.

  Arguments:
    key (string): SQL of the key, a map of column to text.
#}
{% macro masked_tombstone_key(key) -%}
    {%- set hashed, others = [], [] -%}
    {%- for line in kafka_cdc.get_table_settings() if line.columns -%}
        {%- for rule in line.columns -%}
            {%- do (hashed if rule.mask == 'hash' else others).append(dict(rule, table=none, source=none)) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ kafka_cdc.masked_text(key, hashed + others) if hashed or others else key }}
{%- endmacro %}

{#
  Prints an expression: a map of column to text with its masks applied. It binds the secret once.

  Arguments:
    row_map (string): SQL of the map. It may be null.
    rules (list[dict[string, any]]): the rules of an entry of get_mask_rules.

  Requires: the columns of get_table_columns, if a rule depends on the table.
#}
{% macro masked_text(row_map, rules) -%}
    {%- set used = rules | map(attribute='mask') | unique | list -%}
    {%- set problem = 'a mask hashes, and this Spark process has no KAFKA_CDC_MASK_SECRET of at least 16 characters' -%}
    {%- set hash -%}
        case
            when text is null then null
            when length(secret) < 16 then raise_error({{ kafka_cdc.sql_literal(problem) }})
            else {{ kafka_cdc.keyed_hash('text', 'secret') }}
        end
    {%- endset -%}
    {%- set results = {
        'hash': hash,
        'null': 'cast(null as string)',
        'last4': "concat('****', if(length(text) < 8, '', right(text, 4)))",
    } -%}
    {%- set masked = namespace(row=row_map) -%}
    {%- if 'drop' in used -%}
        {%- set is_kept = kafka_cdc.mask_case(rules, {'drop': 'false'}, 'true') -%}
        {%- set masked.row = 'map_filter(' ~ masked.row ~ ', (name, text) -> ' ~ is_kept ~ ')' -%}
    {%- endif -%}
    {%- if used != ['drop'] -%}
        {%- set masked_value = kafka_cdc.mask_case(rules, results, 'text') -%}
        {%- set masked.row = 'transform_values(' ~ masked.row ~ ', (name, text) -> ' ~ masked_value ~ ')' -%}
    {%- endif -%}
    {{ kafka_cdc.sql_let({'secret': kafka_cdc.mask_secret()}, masked.row) if 'hash' in used else masked.row }}
{%- endmacro %}

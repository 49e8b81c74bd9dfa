{#
  Prints an expression: for one column, the result of the first mask that matches its name.

  Arguments:
    rules (list[dict[string, any]]): the rules of an entry of get_mask_rules.
    results (dict[string, string]): mask to SQL of the result.
    otherwise (string): SQL of the result for other columns.
    prefix (string): what precedes the parts of the table's name, such as 'parsed.'.

  Requires: `name`, the name of the column, and the columns of get_table_columns.
#}
{% macro mask_case(rules, results, otherwise, prefix='') -%}
    {#- Neighbors with the same mask and condition share a branch. -#}
    {%- set branches = [] -%}
    {%- for rule in rules -%}
        {%- set branch = [rule.mask, rule.table, rule.source] -%}
        {%- if branches and branches[-1][0] == branch -%}
            {%- do branches[-1][1].append(rule.column) -%}
        {%- else -%}
            {%- do branches.append((branch, [rule.column])) -%}
        {%- endif -%}
    {%- endfor -%}
    case
    {%- for (mask, table, source), columns in branches %}
        {%- set path = kafka_cdc.table_path(prefix) %}
        when {{ kafka_cdc._mask_condition(columns) }}
            {%- if table is not none %} and {{ kafka_cdc.globs_condition(path, [table]) }}{% endif %}
            {%- if source is not none %} and source_name = {{ kafka_cdc.sql_literal(source) }}{% endif %}
            then {{ results.get(mask, otherwise) }}
    {%- endfor %}
        else {{ otherwise }}
    end
{%- endmacro %}

{#
  Prints a condition: a column, or the field of a document that begins its name, matches a glob.
  MongoDB names the path of a changed value, such as address.city of the column address.
#}
{% macro _mask_condition(globs) -%}
    {%- set names, paths = kafka_cdc.globs_condition('lower(name)', globs), [] -%}
    {%- for glob in globs if '.' not in glob -%}
        {%- do paths.append(glob) -%}
    {%- endfor -%}
    {%- if paths -%}
    ({{ names }} or contains(name, '.') and {{
        kafka_cdc.globs_condition("substring_index(lower(name), '.', 1)", paths)
    }})
    {%- else -%}
    {{ names }}
    {%- endif -%}
{%- endmacro %}

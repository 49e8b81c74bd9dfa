{#
  Raises an error if columns of references cannot be compared, because that would leave rows.

  * Both columns need the mask hash, or no mask.
  * If a table has rows, at least one of them must have the column.

  Arguments:
    events (relation): the model events.
    references (list[dict[string, any]]): what get_table_references returns.
    tables (dict[string, any]): what get_tables_of_events returns.
#}
{% macro check_referenced_columns(events, references, tables) %}
    {%- if kafka_cdc.has_masks() -%}
        {%- do kafka_cdc._check_masks(references, tables) -%}
    {%- endif -%}
    {%- do kafka_cdc._check_columns(events, references, tables) -%}
{% endmacro %}

{# Raises an error if masks make the values of a reference incomparable. #}
{% macro _check_masks(references, tables) %}
    {%- for reference in references -%}
        {%- for pair in reference.columns.items() -%}
            {%- set masks, columns = [], [] -%}
            {%- for name in [reference.from, reference.to] -%}
                {%- set table = tables[name] -%}
                {%- set column = pair[loop.index0] -%}
                {%- set mask = kafka_cdc.get_column_mask(table.path, table.tables.source_name, column) -%}
                {%- do masks.append(mask) -%}
                {%- do columns.append(table.path ~ '.' ~ column ~ ' with ' ~ (
                    'the mask ' ~ mask if mask is not none else 'no mask'
                )) -%}
            {%- endfor -%}
            {%- if masks not in [[none, none], ['hash', 'hash']] -%}
                {{ kafka_cdc.raise_error(
                    reference.setting ~ ' compares ' ~ columns | join(' and '),
                    'use the mask hash for both columns, or no mask'
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

{# Raises an error if a table has rows, but no row has a column of its references. #}
{% macro _check_columns(events, references, tables) %}
    {%- set used = {} -%}
    {%- for reference in references -%}
        {%- for column, referenced in reference.columns.items() -%}
            {%- do used.setdefault(reference.from, {}).update({column: reference.setting}) -%}
            {%- do used.setdefault(reference.to, {}).update({referenced: reference.setting}) -%}
        {%- endfor -%}
    {%- endfor -%}

    {%- for name, columns in used.items() -%}
        {%- set query -%}
            select
                count(*)
                {%- for column in columns -%}
                , count_if(map_contains_key(row_image, {{ kafka_cdc.sql_literal(column) }}))
                {%- endfor %}
            from {{ kafka_cdc.row_images(events, kafka_cdc.table_condition(tables[name].tables)) }}
        {%- endset -%}
        {%- set counts = run_query(query).rows[0] -%}
        {%- for column, setting in columns.items() -%}
            {%- if counts[0] and not counts[loop.index] -%}
                {{ kafka_cdc.raise_error(
                    setting ~ ' names the column ' ~ column ~ ', which no row of ' ~ name ~ ' has',
                    'write the name as in the messages; explain_row shows them'
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
{% endmacro %}

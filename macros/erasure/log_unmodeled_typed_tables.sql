{#
  Logs a warning that names the typed tables that an erasure does not reach, because they have no model.

  Arguments:
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.
#}
{% macro log_unmodeled_typed_tables(rows) %}
    {%- set names, tables = [], rows | map(attribute='tables') | list -%}
    {%- for typed_table in kafka_cdc.get_unmodeled_typed_tables() -%}
        {%- set built_from = typed_table.built_from -%}
        {%- if built_from.get('shards', [built_from.get('tables')]) | select('in', tables) | list -%}
            {%- do names.append(typed_table.name) -%}
        {%- endif -%}
    {%- endfor -%}
    {%- if names -%}
        {{ log(
            'warning: not erased: typed tables without a model may have the rows: ' ~ names | sort | join(', ')
                ~ '. Hint: drop them, or restore their models and run the command again',
            info=true
        ) }}
    {%- endif -%}
{% endmacro %}

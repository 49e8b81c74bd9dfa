{#
  Hook at the start of a run: raises an error if dbt's option --empty would build a model of this package
  or a typed table.

  With it, models read no rows. Batches would count as read although no message of theirs was. Prints: nothing.
#}
{% macro check_no_empty_run() %}
    {%- if execute and flags.EMPTY and flags.WHICH in ['run', 'build'] -%}
        {%- for node in graph.nodes.values() if node.unique_id in selected_resources -%}
            {%- if node.resource_type == 'model'
                and (node.package_name == 'kafka_cdc' or node.config.materialized == 'typed_table') -%}
                {{ kafka_cdc.raise_error(
                    '--empty cannot build ' ~ node.name ~ ': its batches would count as read',
                    'leave out --empty, or select other models'
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

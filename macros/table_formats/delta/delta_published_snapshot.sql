{# Returns the number of the version of a table that is published, none before the first publication. #}
{% macro delta_published_snapshot(table) %}
    {%- for view in run_query('show views in ' ~ table.without_identifier() ~ " like 'published_" ~ table.identifier ~ "'").rows -%}
        {{ return(run_query('show tblproperties ' ~ delta_published(table) ~ " ('kafka_cdc.version')").rows[0].value | int) }}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}

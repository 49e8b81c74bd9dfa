{#
  The materialization of this project's views: as dbt's `view`, but made anew only where its SQL has changed (or with --full-refresh).
  Each view keeps the fingerprint of its SQL in the property kafka_cdc.sql, set last, so that a view that a killed run left behind is
  made anew. Spark takes about half a second to parse and check a staging view, for twenty formats longer than it takes to start.
#}
{% materialization kept_view, adapter='spark' %}
    {%- set fingerprint = local_md5(sql) -%}
    {%- if not should_full_refresh() and _get_fingerprint(this) == fingerprint -%}
        {{ run_hooks(pre_hooks) }}
        {%- call noop_statement('main', 'unchanged') -%}
            {{ sql }}
        {%- endcall -%}
        {{ run_hooks(post_hooks) }}
        {{ return({'relations': [this.incorporate(type='view')]}) }}
    {%- endif -%}
    {%- set made = create_or_replace_view() -%}
    {%- do run_query('alter view ' ~ this ~ " set tblproperties ('kafka_cdc.sql' = '" ~ fingerprint ~ "')") -%}
    {{ return(made) }}
{% endmaterialization %}

{# Returns the fingerprint of the SQL that a view was made from; none without such a view. (dbt's own list has no Iceberg views.) #}
{% macro _get_fingerprint(view) %}
    {%- for row in run_query('show views in ' ~ view.without_identifier() ~ " like '" ~ view.identifier ~ "'").rows -%}
        {%- for name, text in run_query('show tblproperties ' ~ view).rows if name == 'kafka_cdc.sql' -%}
            {{ return(text) }}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(none) }}
{% endmacro %}

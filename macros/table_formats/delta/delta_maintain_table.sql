{#
  Lets small files of raw become large ones, and those files go that no version of the last keep_days days and none that is published needs,
  and those of killed runs. Returns what was done, in words, an item for each step. The arguments are those of maintain_tables.
  With keep_days 0 nothing else may publish meanwhile: what it replaces in that moment is not spared.
#}
{% macro delta_maintain_table(table, is_raw, keep_days, orphan_days) %}
    {%- set said, published = [], get_published_snapshot(table) -%}
    {%- if is_raw -%}
        {%- set before = run_query('describe detail ' ~ table).rows[0].numFiles -%}
        {%- do run_query('optimize ' ~ table) -%}
        {%- do said.append('optimize (' ~ before ~ ' files, then ' ~ run_query('describe detail ' ~ table).rows[0].numFiles ~ ')') -%}
    {%- endif -%}
    {%- set needed_hours = 0 if publish(table, published) or published is none else _hours_since(table, published) -%}
    {%- do run_query('set spark.databricks.delta.retentionDurationCheck.enabled = false') -%}
    {%- for kind, days in [('lite', keep_days), ('full', [keep_days, orphan_days] | max)] -%}
        {%- set hours = [24 * days, needed_hours] | max -%}
        {%- do run_query('vacuum ' ~ table ~ ' ' ~ kind ~ ' retain ' ~ hours ~ ' hours') -%}
        {%- do said.append('vacuum ' ~ kind ~ ' (retain ' ~ hours ~ ' hours)') -%}
    {%- endfor -%}
    {%- do publish(table, published) -%}
    {{ return(said) }}
{% endmacro %}

{# Returns how many hours ago a version of a table came, rounded up. #}
{% macro _hours_since(table, version) %}
    {%- for row in run_query('describe history ' ~ table ~ ' limit ' ~ (get_newest_snapshot(table) - version + 1)).rows if row.version == version -%}
        {#- Both moments as dbt shows them, in whatever time zone. -#}
        {%- set now = run_query('select current_timestamp()').rows[0][0] -%}
        {%- set seconds = run_query("select unix_timestamp(timestamp '" ~ now ~ "') - unix_timestamp(timestamp '" ~ row.timestamp ~ "')").rows[0][0] -%}
        {{ return(seconds // 3600 + 1) }}
    {%- endfor -%}
    {{ fail('the history of ' ~ table ~ ' lacks version ' ~ version ~ ', which is published', 'say dbt build, which publishes a newer one') }}
{% endmacro %}

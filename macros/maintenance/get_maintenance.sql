{#
  Returns the procedures of Iceberg that maintain a table, in order: name → their arguments behind the table's.
  raw is sorted anew where it has many small files; events and stream_profiles are partitioned by landing batch, their files are what they are.
#}
{% macro get_maintenance(table, keep_days, orphan_days) %}
    {%- set before = {} -%}
    {%- for name, days in [('keep', keep_days), ('orphan', orphan_days)] -%}
        {%- set moment = run_query('select cast(current_timestamp() - interval ' ~ days ~ ' days as string)').columns[0].values()[0] -%}
        {%- do before.update({name: ", older_than => timestamp '" ~ moment ~ "'"}) -%}
    {%- endfor -%}
    {%- set steps = {} -%}
    {%- if table == source('raw', 'kafka_messages') -%}
        {%- do steps.update({'rewrite_data_files': ", strategy => 'sort', options => map('min-input-files', '5', 'delete-file-threshold', '1', 'partial-progress.enabled', 'true')"}) -%}
    {%- endif -%}
    {%- do steps.update({
        'rewrite_manifests': '',
        'expire_snapshots': before.keep ~ ', retain_last => 1',
        'remove_orphan_files': before.orphan,
    }) -%}
    {{ return(steps) }}
{% endmacro %}

{#
  Raises an error if a name under `vars: kafka_cdc:` is no setting. The hint names the nearest one.

  It also raises an error if the option --vars has settings under kafka_cdc. dbt reads such settings
  from dbt_project.yml only, and would ignore them.
#}
{% macro check_setting_names() %}
    {%- set names = [
        'topics',
        'tables',
        'sequence_resets',
        'silence_factor',
        'lookback_days',
        'compaction_threshold',
        'on_held',
        'check_in_run',
        'check_chains',
        'raw_schema',
        'raw_table',
        'raw_column_mapping',
        'formats',
        'replay',
    ] -%}
    {%- set options = invocation_args_dict.get('vars') or {} -%}
    {%- if options is mapping and options.get('kafka_cdc') is mapping -%}
        {%- set settings = options.kafka_cdc -%}
        {{ kafka_cdc.raise_error(
            '--vars has settings under kafka_cdc, which dbt does not read there',
            "write them without it: --vars '" ~ tojson(settings) ~ "'"
        ) }}
    {%- endif -%}

    {#- dbt shows the section of the project as a variable, too. -#}
    {%- set section = var('kafka_cdc', {}) or {} -%}
    {%- for name in section if section is mapping and name not in names -%}
        {%- set nearest = kafka_cdc._get_nearest_name(name | string, names) -%}
        {{ kafka_cdc.raise_setting_error(
            setting=name,
            value=section[name],
            valid='the names ' ~ names | join(', '),
            hint='this setting does not exist; ' ~ (
                'write ' ~ nearest if nearest else 'remove it from vars: kafka_cdc:'
            )
        ) }}
    {%- endfor -%}
{% endmacro %}

{# Returns the name that shares most pairs of neighboring letters with a name, or none. #}
{% macro _get_nearest_name(name, names) %}
    {%- set best = namespace(name=none, share=0.5) -%}
    {%- set pairs = kafka_cdc._get_letter_pairs(name | lower | replace('-', '_')) -%}
    {%- for candidate in names -%}
        {%- set others = kafka_cdc._get_letter_pairs(candidate) -%}
        {%- set common = pairs | select('in', others) | list -%}
        {%- set share = 2 * common | length / (pairs | length + others | length) -%}
        {%- if share > best.share -%}
            {%- set best.name = candidate -%}
            {%- set best.share = share -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(best.name) }}
{% endmacro %}

{# Returns the pairs of neighboring letters of a name, each once, and its first and last letter. #}
{% macro _get_letter_pairs(name) %}
    {%- set text = ' ' ~ name ~ ' ' -%}
    {%- set pairs = [] -%}
    {%- for at in range(text | length - 1) -%}
        {%- do pairs.append(text[at:at + 2]) -%}
    {%- endfor -%}
    {{ return(pairs | unique | list) }}
{% endmacro %}

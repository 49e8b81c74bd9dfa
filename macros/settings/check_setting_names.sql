{#
  Raises an error if a name under `vars: kafka_cdc:` is no setting. The hint names the nearest one.

  It also raises an error if the option --vars has settings under kafka_cdc. dbt reads such settings
  from dbt_project.yml only, and would ignore them.
#}
{% macro check_setting_names() %}
    {%- set names = kafka_cdc.get_setting_names() -%}
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
        {%- set nearest = kafka_cdc.get_nearest_setting(name) -%}
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

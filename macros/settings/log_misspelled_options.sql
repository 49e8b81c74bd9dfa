{#
  Hook at the start of a run: logs the names in the option --vars that are almost those of a setting.

  They are no error, because --vars may have variables of other packages. Prints: nothing.
#}
{% macro log_misspelled_options() %}
    {%- set options = invocation_args_dict.get('vars') or {} -%}
    {%- if execute and options is mapping -%}
        {%- for name in options if name not in kafka_cdc.get_setting_names() -%}
            {%- set nearest = kafka_cdc.get_nearest_setting(name) -%}
            {%- if nearest -%}
                {{ log(
                    'warning: --vars has ' ~ name ~ ', which is no setting of kafka_cdc and has no effect. Hint: write '
                        ~ nearest,
                    info=true
                ) }}
            {%- endif -%}
        {%- endfor -%}
    {%- endif -%}
{% endmacro %}

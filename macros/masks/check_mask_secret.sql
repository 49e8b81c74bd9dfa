{#
  Hook at the start of a run: raises an error if a mask hashes and there is no secret.

  Nothing is built then. Prints: nothing.
#}
{% macro check_mask_secret() %}
    {%- if execute and flags.WHICH in ['run', 'build', 'test', 'seed', 'snapshot'] -%}
        {%- do kafka_cdc.get_mask_rules() -%}
    {%- endif -%}
{% endmacro %}

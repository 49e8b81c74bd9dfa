{#
  Returns the setting `check_chains`, checked: off, warn or hold.

  off: no chains are checked. warn: a build warns of broken chains. hold: their tables are held.
#}
{% macro get_check_chains() %}
    {{ return(kafka_cdc.get_choice_setting('check_chains', ['off', 'warn', 'hold'])) }}
{% endmacro %}

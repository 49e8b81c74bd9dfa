{#
  Returns whether a line of the setting `tables` sets a key to one of the values.

  Arguments:
    name (string): the key, such as on_rename.
    values (list[string]): the values.

  Returns: a boolean.
#}
{% macro has_table_setting(name, values) %}
    {{ return(kafka_cdc.get_table_settings() | selectattr(name, 'in', values) | list | length > 0) }}
{% endmacro %}

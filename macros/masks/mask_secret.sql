{#
  Prints an expression: the secret that hashes, from the environment of Spark's process.

  Spark does not fold `reflect` into a constant, so no plan contains the secret. Without the variable
  the result is the text null, so that its length must be checked. Never select it.
#}
{% macro mask_secret() -%}
    reflect('java.lang.System', 'getenv', 'KAFKA_CDC_MASK_SECRET')
{%- endmacro %}

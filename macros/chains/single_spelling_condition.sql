{#
  Prints a condition: two texts are of a kind that snapshots and streams write in one way.

  Times, JSON, bits, fractions and booleans differ between the snapshot and the stream of some
  vendors, although the values are equal. Integers and words do not.

  Arguments:
    first (string): SQL of a text.
    second (string): SQL of the other text.
#}
{% macro single_spelling_condition(first, second) -%}
{%- set pattern = kafka_cdc._single_spelling() -%}
{{ first }} rlike r'{{ pattern }}' and {{ second }} rlike r'{{ pattern }}'
and lower({{ first }}) not in ('true', 'false') and lower({{ second }}) not in ('true', 'false')
{%- endmacro %}

{#
  Prints a regular expression: an integer of up to six digits, or a text with two letters that is
  neither a time nor JSON.
#}
{% macro _single_spelling() -%}
(?s)^(-?[0-9]{1,6}|(?![\[\{"])(?!.*[0-9]:[0-9]).*\p{L}.*\p{L}.*)\z
{%- endmacro %}

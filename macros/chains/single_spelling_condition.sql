{#
  Prints a condition: two texts are of a kind that snapshots and streams write in one way.

  Times, JSON, bits, fractions and booleans differ between the snapshot and the stream of some
  vendors, although the values are equal. Integers and words do not.

  Arguments:
    first (string): SQL of a text.
    second (string): SQL of the other text.
#}
{% macro single_spelling_condition(first, second) -%}
{{ first }} rlike r'{{ kafka_cdc._one_spelling() }}' and {{ second }} rlike r'{{ kafka_cdc._one_spelling() }}'
and lower({{ first }}) not in ('true', 'false') and lower({{ second }}) not in ('true', 'false')
{%- endmacro %}

{# Prints a regular expression: a short integer, or a text with two words' letters that is no time and no JSON. #}
{% macro _one_spelling() -%}
(?s)^(-?[0-9]{1,6}|(?![\[\{"])(?!.*[0-9]:[0-9]).*\p{L}.*\p{L}.*)\z
{%- endmacro %}

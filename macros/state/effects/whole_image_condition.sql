{#
  Prints a condition: whether a change decides the whole row under its key, regardless of what precedes it.

  A partial image that moves a row is not whole: what it lacks comes from the old key.

  Arguments:
    old_key (string): SQL of the key that a primary-key update leaves; null for other changes.

  Requires: columns `operation` and `image`.
#}
{% macro whole_image_condition(old_key) -%}
operation in ('insert', 'snapshot', 'delete') and not ({{ old_key }} is not null and image = 'partial')
or image in ('full', 'key')
{%- endmacro %}

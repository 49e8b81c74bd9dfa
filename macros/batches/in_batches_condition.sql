{#
  Prints a condition: a row belongs to one of the landing batches.

  The batches are literals, so that the table format skips the files of all others.

  Arguments:
    batches (list[integer]): the landing batches. If the list is empty, the condition is false.

  Requires: the column `landing_batch`.
#}
{% macro in_batches_condition(batches) -%}
    {% if batches %}landing_batch in ({{ batches | join(', ') }}){% else %}false{% endif %}
{%- endmacro %}

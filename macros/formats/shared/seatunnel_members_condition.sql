{#
  Prints a condition: the message has exactly the members of a row that later versions of SeaTunnel write.

  The formats of Canal and Maxwell have the same ones. `old` may be missing. The names of the database
  and of the table are null if the table has none.

  Requires: column `value`.
#}
{% macro seatunnel_members_condition() -%}
    coalesce(
        array_sort(array_union(json_object_keys(value), array('old')))
            = array('data', 'database', 'old', 'table', 'ts', 'type'),
        false
    )
{%- endmacro %}

{#
  Prints a condition: whether one row landed in an earlier landing batch than another.

  The numbers of landing batches are random, so that the times of landing are compared. A mapped raw
  table may have no times. Then its batch numbers are compared.

  Example: landed_earlier_condition('following.', '') prints
    coalesce(following.landed_at < landed_at, following.landing_batch < landing_batch, false)

  Arguments:
    one (string): prefix of the columns of the row that landed earlier, such as `following.`, or ''.
    other (string): prefix of the columns of the other row.

  Requires: columns `landed_at` and `landing_batch` of both.
#}
{% macro landed_earlier_condition(one, other) -%}
coalesce({{ one }}landed_at < {{ other }}landed_at, {{ one }}landing_batch < {{ other }}landing_batch, false)
{%- endmacro %}

{#
  Warns of the columns of a typed model (generate_table_model) that have values which do not fit their type: how many, why, and one of
  them. They are null in the column and stand in undecoded.
#}
{% test values_are_decoded(model) %}
{{ config(severity='warn') }}
select concat(
    'column ', name, ' of {{ model.identifier }} has ', count(*), ' values kept as text (', said.reason, '), for example ', min(said.text)
) as finding
from {{ model }} lateral view explode(undecoded) as name, said
group by name, said.reason
{% endtest %}

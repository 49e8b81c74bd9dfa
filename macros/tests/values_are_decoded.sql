{#
  Warns of columns of a typed model with values that do not fit their type.

  Such a value is null in its column, and its text is in the column `undecoded`. The finding has the
  number of values, the reason and an example.

  Arguments:
    model (relation): a model that generate_table_model has printed.
#}
{% test values_are_decoded(model) %}
{{ config(severity='warn') }}
select concat(
    'column ', entry.name, ' of {{ model.identifier }} is null in ', count(*), ' rows, and the column undecoded has ',
    'the text (', entry.value.reason, '), for example ', min(entry.value.text)
) as finding
from {{ model }}
lateral view explode(undecoded) entry as name, value
group by entry.name, entry.value.reason
{% endtest %}

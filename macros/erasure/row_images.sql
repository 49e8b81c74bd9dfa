{#
  Prints a relation: the images of rows, with the keys of their event. The key is an image too.

  Arguments:
    events (relation): the model events.
    condition (string): SQL of a condition for events.
#}
{% macro row_images(events, condition) -%}
    (
        select row_key, previous_row_key, row_image
        from {{ events }}
        lateral view explode(array(
            before_row,
            after_row,
            from_json(row_key, 'map<string, string>'),
            from_json(previous_row_key, 'map<string, string>')
        )) images as row_image
        where {{ condition }} and event_kind = 'change' and row_key is not null and row_image is not null
    ) as row_images
{%- endmacro %}

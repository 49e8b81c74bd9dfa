{#
  Prints an expression: the paths of a MongoDB update without a document, or null.

  The server writes the steps of a path to disambiguatedPaths if a dot may be part of a name. A
  formatter may write the index of an element as {"$numberInt": "0"}.

  Arguments:
    has_no_document (string): SQL condition. The message is an update without the document after it.
    removed (string): SQL of the names that it removes, array<string> or null.

  Requires: the format variables `change` with updateDescription, `updated`, and `shortened_arrays`
    from mongodb_shortened_arrays.
#}
{% macro mongodb_paths(has_no_document, removed) -%}
    {%- set steps -%}
    coalesce(
        transform(
            try_element_at(change.updateDescription.disambiguatedPaths, name),
            step -> regexp_replace(step, r'^\{"\$numberInt": *"([0-9]+)"\}\z', '$1')
        ),
        split(name, '[.]')
    )
    {%- endset -%}
    if(
        {{ has_no_document }},
        {{ kafka_cdc.document_paths(
            'concat(map_keys(updated), coalesce(' ~ removed ~ ', array()))',
            steps=steps,
            shortened='shortened_arrays'
        ) | indent(8) }},
        null
    )
{%- endmacro %}

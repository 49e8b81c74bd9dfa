{#
  Prints an expression: an array of documents, such as MongoDB's, as an array of rows.

  Each row maps a member's name to the member's own typed JSON text, so that 1 and "1" differ.
  JSON null is SQL null. Of duplicate members the last one wins.
  A text that is not exactly one strict JSON object gives null.

  Each document is parsed once. Spark removes the quotes of texts. Each text that is a value
  therefore gets a text marker first, as numbers get a number marker in quote_numbers.

  Example: {"a":1.10,"b":"1.10","c":{"d":"x"}} gives
  {"a": '1.10', "b": '"1.10"', "c": '{"d":"x"}'}.

  Arguments:
    json_texts (string): SQL of the documents' texts, array<string>. Each comes from a string of the
      payload or from a nested object.

  Requires: the column `number_marker`.
#}
{% macro read_documents(json_texts) -%}
    {#- The payload's own number markers go: the document is marked again, by its own hash. -#}
    {%- set own_text -%}
    if(number_marker is null, json_text, {{ kafka_cdc.remove_number_markers('json_text', 'number_marker') }})
    {%- endset -%}
    {%- set marked = kafka_cdc.marked_document('document_text', 'text_marker', 'document_marker') -%}
    {%- set parsed -%}
    from_json(
        {{ kafka_cdc.json_between_sentinels(marked, 'document_sentinel') | indent(8) }},
        'documents array<map<string, string>>, _corrupt_record string',
        {{ kafka_cdc.get_json_options() }}
    )
    {%- endset -%}

    {%- set typed -%}
    if(
        document._corrupt_record is null
        and {{ kafka_cdc.sentinels_intact_condition('document.documents', 'document_sentinel') | indent(8) }}
        and not ({{ kafka_cdc.lone_surrogate_condition('document_text') | indent(8) }}),
        transform_values({{ kafka_cdc.dedupe_map_keys('document.documents[1]') | indent(8) }}, (name, member) -> case
            when startswith(member, text_marker)
                then {{ kafka_cdc.json_string('substring(member, length(text_marker) + 1)') }}
            else {{ kafka_cdc.unmarked_text('member', 'text_marker', 'document_marker') }}
        end),
        null
    )
    {%- endset -%}

    transform({{ json_texts }}, json_text -> {{ kafka_cdc.sql_let({
        'document_text': own_text,
        'document_sentinel': kafka_cdc.json_sentinel('document_text'),
        'text_marker': "concat('\\uFDD1', document_sentinel)",
        'document_marker': kafka_cdc.number_marker('document_text', 'document_sentinel'),
        'document': parsed,
    }, typed) }})
{%- endmacro %}

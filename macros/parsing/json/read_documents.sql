{#
  Prints SQL for an array of documents (MongoDB's, say) as rows: each a map of its members to their own typed JSON text, so that 1
  and "1" differ; JSON null is SQL NULL, of a repeated member the last one wins. Null for a text that is not exactly one strict JSON object.
  json_texts: SQL for the array of the documents' texts, each from a string of the payload or a nested object of it. Reads number_marker.
  One parse for each: Spark takes the quotes off texts, so each text that is a value carries a mark, as numbers do in quote_numbers.
#}
{% macro read_documents(json_texts) -%}
    {%- set own_text = 'if(number_marker is null, json_text, ' ~ kafka_cdc.remove_number_markers('json_text', 'number_marker') ~ ')' -%}
    {%- set marked = kafka_cdc._mark_texts('document_text', 'text_mark') -%}
    {%- set prepared = 'if(document_mark is null, ' ~ marked ~ ', ' ~ kafka_cdc.quote_numbers(marked, 'document_mark') ~ ')' -%}
    {%- set parsed -%}
    from_json(
        {{ kafka_cdc.json_between_sentinels(prepared, 'document_seal') | indent(8) }},
        'documents array<map<string, string>>, _corrupt_record string',
        {{ kafka_cdc.get_json_options() }}
    )
    {%- endset -%}
    {%- set text = "replace(member, concat('\"', text_mark), '\"')" -%}
    {%- set typed -%}
    if(
        document._corrupt_record is null and {{ kafka_cdc.sentinels_intact_condition('document.documents', 'document_seal') }} and not ({{ kafka_cdc.lone_surrogate_condition('document_text') | indent(8) }}),
        transform_values({{ kafka_cdc.dedupe_map_keys('document.documents[1]') | indent(8) }}, (name, member) -> case
            when startswith(member, text_mark) then regexp_replace(to_json(array(substring(member, length(text_mark) + 1))), r'^\[|\]$', '')
            when document_mark is null then {{ text }}
            else {{ kafka_cdc.remove_number_markers(text, 'document_mark') }}
        end),
        null
    )
    {%- endset -%}
    transform({{ json_texts }}, json_text -> {{ kafka_cdc.sql_let({
        'document_text': own_text,
        'document_seal': kafka_cdc.json_sentinel('document_text'),
        'text_mark': "concat('\\uFDD1', document_seal)",
        'document_mark': kafka_cdc.number_marker('document_text', 'document_seal'),
        'document': parsed,
    }, typed) }})
{%- endmacro %}

{# Prints SQL for a JSON text in which each string that is a value, not a member's name, begins with the mark. #}
{% macro _mark_texts(json_text, text_mark) -%}
    regexp_replace(
        {{ json_text }},
        r'\G((?:[^"]++|"(?:[^"\\]++|\\.)*+"(?=\s*+:))*+)"((?:[^"\\]++|\\.)*+")',
        concat('$1"', {{ text_mark }}, '$2')
    )
{%- endmacro %}

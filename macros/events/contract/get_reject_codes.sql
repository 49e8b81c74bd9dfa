{#
  Returns the reject codes, which are the same for every format.

  A sentence that ends in a colon or a space is followed by what the message contains.

  Returns: a dictionary, code to the sentence of the column `reject_detail`.
#}
{% macro get_reject_codes() %}
    {{ return({
        'invalid_utf8': 'The payload is not valid UTF-8 text; a binary topic must land base64-encoded.',
        'lone_surrogate': 'The payload escapes half a surrogate pair, which no UTF-8 text can hold.',
        'invalid_json': 'The payload is not exactly one strict JSON object.',
        'invalid_binary': 'The payload is not the base64 text of exactly one record of its format.',
        'invalid_frame': 'The binary frames of the message cannot be read: ',
        'unknown_schema': 'The schema of the message is not available. Run kafka-cdc land schemas '
            ~ 'to look it up in the schema registry: schema ',
        'unknown_format': 'No known format recognizes the payload; map its topic in the setting topics.',
        'ambiguous_format': 'The message could be of several formats. Set the one of its producer as the format '
            ~ 'of its topic in the setting topics: ',
        'unexpected_structure': 'A field of the payload has another JSON type than its format documents.',
        'encrypted': 'The message is encrypted. Write it without encryption, or decrypt it before it lands.',
        'unknown_connector': 'The format does not read the messages of this connector: ',
        'missing_field': 'A field that every message of the format has is missing, null or unreadable: ',
        'contradiction': 'The fields of the payload contradict each other: ',
        'unknown_operation': 'The format does not document this operation: ',
        'invalid_sequence': 'The position that orders the message cannot be read.',
        'missing_image': 'The operation needs a row image that the message does not have.',
        'missing_key': 'A row lacks a value for at least one of its key columns: ',
        'masked_key': 'The setting tables masks a key column in a way that would merge rows. '
            ~ 'Use the mask hash, then replay the quarantine. The key columns are: ',
    }) }}
{% endmacro %}

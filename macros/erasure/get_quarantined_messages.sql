{#
  Returns the messages in quarantine whose text contains a key of rows, and how many cannot be searched.

  The text is the payload, the Kafka key and the headers. A key matches if each of its values is in
  the text, neither followed nor preceded by another letter or digit. Characters match that JSON
  escapes, such as \u00e9 and \/. A hashed value of a key is compared with the hash of each word and
  each quoted text.

  A binary payload is searched as far as it contains text. Numbers in it are not found.

  Arguments:
    events (relation): the model events.
    rows (list[dict[string, any]]): tables with their rows, as erase_rows takes them.

  Returns: a dictionary:
    * messages: a list of dictionaries with `topic`, `topic_incarnation`, `partition`, `offset` and
      `code`, in the order of coordinates.
    * binary: the number of binary messages in quarantine without a match.
#}
{% macro get_quarantined_messages(events, rows) %}
    {%- set is_binary = "coalesce(landed.value rlike '^[A-Za-z0-9+/]{8,}={0,2}$', false)" -%}
    {%- set query -%}
        select
            kafka_topic,
            topic_incarnation,
            kafka_partition,
            kafka_offset,
            min(reject_code) as reject_code,
            max(is_match) as is_match
        from (
            select
                *,
                {{ kafka_cdc._has_key_condition(rows) | indent(16) }} as is_match
            from (
                select
                    event.*,
                    {{ is_binary }} as is_binary,
                    concat_ws(
                        ' ',
                        landed.key,
                        landed.value,
                        if({{ is_binary }}, cast(try_to_binary(landed.value, 'base64') as string), null),
                        transform(landed.headers, header -> concat_ws(' ', header.key, cast(header.value as string)))
                    ) as message_text
                from {{ events }} as event
                inner join {{ kafka_cdc.get_raw_relation() }} as landed
                    on
                        landed.landing_batch = event.landing_batch
                        and {{ kafka_cdc.same_message_condition('landed', 'event') }}
                where event.event_kind = 'rejected'
            ) as texts
        ) as searched
        where is_match or is_binary
        group by kafka_topic, topic_incarnation, kafka_partition, kafka_offset
        order by kafka_topic, topic_incarnation, kafka_partition, kafka_offset
    {%- endset -%}
    {%- set found = {'messages': [], 'binary': 0} -%}
    {%- for row in run_query(query).rows -%}
        {%- if row.is_match -%}
            {%- do found.messages.append({
                'topic': row.kafka_topic,
                'topic_incarnation': row.topic_incarnation | int,
                'partition': row.kafka_partition | int,
                'offset': row.kafka_offset | int,
                'code': row.reject_code,
            }) -%}
        {%- else -%}
            {%- do found.update({'binary': found.binary + 1}) -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}

{#
  Prints a condition: message_text contains each value of a key of the rows.
#}
{% macro _has_key_condition(rows) -%}
    {%- set plain, hashed = [], [] -%}
    {%- for table in rows -%}
        {%- for row_key in table.row_keys or [] -%}
            {%- set patterns, hashes = [], [] -%}
            {%- for column, text in fromjson(row_key).items() if text -%}
                {%- if kafka_cdc.get_column_mask(table.path, table.tables.source_name, column) == 'hash' -%}
                    {%- do hashes.append(text) -%}
                {%- else -%}
                    {%- do patterns.append(kafka_cdc._get_pattern(text)) -%}
                {%- endif -%}
            {%- endfor -%}
            {%- if hashes -%}
                {%- do hashed.append([patterns, hashes]) -%}
            {%- elif patterns -%}
                {%- do plain.append(patterns) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}

    {%- set has_plain -%}
        exists({{ kafka_cdc.sql_literal(plain) }}, key -> forall(key, pattern -> message_text rlike pattern))
    {%- endset -%}
    {%- set has_hashed -%}
        exists(
            array(
                {%- for patterns, hashes in hashed -%}
                struct(
                    cast({{ kafka_cdc.sql_literal(patterns) }} as array<string>) as patterns,
                    {{ kafka_cdc.sql_literal(hashes) }} as hashes
                ){{ ', ' if not loop.last }}
                {%- endfor -%}
            ),
            key -> forall(key.patterns, pattern -> message_text rlike pattern)
                and size(array_except(key.hashes, word_hashes)) = 0
        )
    {%- endset -%}
    {%- set words = "regexp_extract_all(message_text, '\"([^\"]*)\"|([^\\\\s\",:;{}\\\\[\\\\]]+)', 0)" -%}
    {%- set word_hashes -%}
        transform({{ words }}, word -> {{ kafka_cdc.keyed_hash("trim(both '\"' from word)", 'secret') }})
    {%- endset -%}
    {%- set conditions = [] -%}
    {%- if plain -%}
        {%- do conditions.append(has_plain) -%}
    {%- endif -%}
    {%- if hashed -%}
        {%- do conditions.append(kafka_cdc.sql_let(
            {'secret': kafka_cdc.mask_secret(), 'word_hashes': word_hashes},
            has_hashed
        )) -%}
    {%- endif -%}
    ({{ conditions | join(' or ') or 'false' }})
{%- endmacro %}

{# Returns the regular expression of a text as a word. Each character may be escaped as in JSON. #}
{% macro _get_pattern(text) %}
    {%- set characters = [] -%}
    {%- for character in text -%}
        {%- if modules.re.match('[A-Za-z0-9 _-]', character) -%}
            {%- do characters.append(modules.re.escape(character)) -%}
        {%- else -%}
            {%- set code_units = modules.re.findall('....', character.encode('utf-16-be').hex()) -%}
            {%- set variants = [character, tojson(character)[1:-1], '\\u' ~ code_units | join('\\u')] -%}
            {%- if character == '/' -%}
                {%- do variants.append('\\/') -%}
            {%- endif -%}
            {%- set escaped = [] -%}
            {%- for variant in variants | unique -%}
                {%- do escaped.append(modules.re.escape(variant)) -%}
            {%- endfor -%}
            {%- do characters.append('(?:' ~ escaped | join('|') ~ ')') -%}
        {%- endif -%}
    {%- endfor -%}
    {{ return('(?<![\\p{L}\\p{N}])(?i:' ~ characters | join ~ ')(?![\\p{L}\\p{N}])') }}
{% endmacro %}

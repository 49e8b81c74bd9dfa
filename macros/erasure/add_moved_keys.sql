{#
  Returns keys of rows of a table, with the earlier and later keys of these rows.

  Arguments:
    events (relation): the model events.
    of_table (string): SQL of the condition that selects the table.
    keys (list[string]): the keys.

  Returns: list[string], the given keys first.
#}
{% macro add_moved_keys(events, of_table, keys) %}
    {%- if not keys -%}
        {{ return([]) }}
    {%- endif -%}
    {%- set moves = [] -%}
    {%- set query -%}
        select distinct previous_row_key, row_key
        from {{ events }}
        where {{ of_table }} and previous_row_key <> row_key
    {%- endset -%}
    {%- for row in run_query(query).rows -%}
        {%- do moves.append([row[0], row[1]]) -%}
    {%- endfor -%}

    {#- Updates in two messages. -#}
    {%- if kafka_cdc.get_stream_facts(ref('event_batch_stats')).before_events -%}
        {%- for row in run_query(kafka_cdc.select_split_key_changes(events, of_table)).rows -%}
            {%- do moves.append([row[0], row[1]]) -%}
        {%- endfor -%}
    {%- endif -%}

    {%- set partners = {} -%}
    {%- for move in moves -%}
        {%- do partners.setdefault(move[0], []).append(move[1]) -%}
        {%- do partners.setdefault(move[1], []).append(move[0]) -%}
    {%- endfor -%}
    {#- The loop also visits what it appends. -#}
    {%- set found = keys | list -%}
    {%- set seen = {} -%}
    {%- for key in keys -%}
        {%- do seen.update({key: true}) -%}
    {%- endfor -%}
    {%- for key in found -%}
        {%- for partner in partners.get(key, []) if partner not in seen -%}
            {%- do seen.update({partner: true}) -%}
            {%- do found.append(partner) -%}
        {%- endfor -%}
    {%- endfor -%}
    {{ return(found) }}
{% endmacro %}

{#
  Returns the project's words for what a message says, word → [event kind, operation]. A format translates its vendor's
  words into these with map_operation; a word that it does not know is null, and the message is rejected.
  `ddl` leaves the operation to the statement's first word.
#}
{% macro get_operations() %}
    {%- set words = {} -%}
    {%- for word in ['insert', 'update', 'update_before', 'delete', 'snapshot', 'truncate'] -%}
        {%- do words.update({word: ['change', word]}) -%}
    {%- endfor -%}
    {%- for word in ['create', 'alter', 'drop', 'rename', 'index', 'ddl'] -%}
        {%- do words.update({word: ['ddl', word]}) -%}
    {%- endfor -%}
    {%- for word in ['heartbeat', 'transaction', 'tombstone', 'other'] -%}
        {%- do words.update({word: [word, none]}) -%}
    {%- endfor -%}
    {{ return(words) }}
{% endmacro %}

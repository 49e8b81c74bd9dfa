{#
  Returns the name of an entry of a list for error messages, such as topics[entry 3: orders_*].

  Arguments:
    list_name (string): the path of the list, such as topics.
    entry (any): the entry. If it has a topic or a table, the name contains it.
    number (integer): its number, from 1.

  Returns: string.
#}
{% macro get_entry_name(list_name, entry, number) %}
    {%- set subject = (entry.get('topic') or entry.get('table')) if entry is mapping else none -%}
    {%- set subject = subject | join(', ') if subject is iterable and subject is not string else subject or '' -%}
    {%- set text = modules.re.sub('\\s+', ' ', subject | string) | trim | truncate(60, leeway=0) -%}
    {{ return(list_name ~ '[entry ' ~ number ~ (': ' ~ text if text else '') ~ ']') }}
{% endmacro %}

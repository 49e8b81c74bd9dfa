{#
  Prints SQL for the text of a date, a time of day or both from their numbers, as many as are there: 2024-02-29 23:59:59.5 has all,
  2024 only the first. Nothing is corrected (0000-00-00); a negative number puts a sign before the text; a fraction of zero is not shown.
  Null where a number between two others is missing, and where the fraction has more digits than it may have.
  numbers: SQL for an array of year, month, day, hour, minute, second, fraction. digits: SQL for the number of the fraction's digits.
#}
{% macro date_time_text(numbers, digits) -%}
    {%- set text -%}
    if(
        array_join(transform(numbers, number -> if(number is null, '-', '+')), '') rlike '^-*[+]+-*.$'
        and coalesce(length(texts[6]) = {{ digits }} and (numbers[6] = 0 or numbers[5] is not null), true),
        concat(
            if(exists(numbers, number -> number < 0), '-', ''),
            concat_ws(' ', nullif(array_join(slice(texts, 1, 3), '-'), ''), nullif(array_join(slice(texts, 4, 3), ':'), '')),
            if(numbers[6] <> 0, concat('.', texts[6]), '')
        ),
        null
    )
    {%- endset -%}
    {{ kafka_cdc.sql_let({
        'numbers': numbers,
        'figures': "transform(numbers, number -> cast(abs(cast(number as bigint)) as string))",
        'texts': "transform(figures, (figure, at) -> lpad(figure, greatest(length(figure), get(array(4, 2, 2, 2, 2, 2, " ~ digits ~ "), at)), '0'))",
    }, text) }}
{%- endmacro %}

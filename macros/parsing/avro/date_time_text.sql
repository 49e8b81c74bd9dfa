{#
  Prints an expression: the text of a date, a time of day or both, from their numbers.

  Only the numbers that are not null appear: 2024-02-29 23:59:59.5 has all of them, 2024 only the
  first. Nothing is corrected, so 0000-00-00 stays. A negative number puts a sign before the text.
  A fraction of zero is left out. The result is null in these cases:
  * A number between two others is null.
  * The fraction has more digits than allowed.

  Arguments:
    numbers (string): SQL of an array: year, month, day, hour, minute, second, fraction.
    digits (string): SQL of the number of digits of the fraction.
#}
{% macro date_time_text(numbers, digits) -%}
    {%- set text -%}
    if(
        array_join(transform(numbers, number -> if(number is null, '-', '+')), '') rlike '^-*[+]+-*.$'
        and coalesce(length(texts[6]) = {{ digits }} and (numbers[6] = 0 or numbers[5] is not null), true),
        concat(
            if(exists(numbers, number -> number < 0), '-', ''),
            concat_ws(
                ' ',
                nullif(array_join(slice(texts, 1, 3), '-'), ''),
                nullif(array_join(slice(texts, 4, 3), ':'), '')
            ),
            if(numbers[6] <> 0, concat('.', texts[6]), '')
        ),
        null
    )
    {%- endset -%}

    {%- set padded -%}
    transform(
        figures,
        (figure, at) -> lpad(figure, greatest(length(figure), get(array(4, 2, 2, 2, 2, 2, {{ digits }}), at)), '0')
    )
    {%- endset -%}

    {{ kafka_cdc.sql_let({
        'numbers': numbers,
        'figures': 'transform(numbers, number -> cast(abs(cast(number as bigint)) as string))',
        'texts': padded,
    }, text) }}
{%- endmacro %}

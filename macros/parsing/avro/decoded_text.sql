{#
  Prints an expression: the text that bytes are in a character set.

  The result is null if the bytes are not valid in the character set, or if it is unknown.
  Bytes of `binary` become base64. latin1 is MySQL's: Windows-1252, whose five unused bytes are
  control characters.

  Spark decodes few character sets and Java nearly all of them. Spark calls Java's URLDecoder,
  which decodes bytes that are written as percent signs and hexadecimal digits.

  Arguments:
    bytes (string): SQL of the bytes.
    charset (string): SQL of the character set's name, MySQL's or Java's.
#}
{% macro decoded_text(bytes, charset) -%}
    {%- set java_names = {
        'cp932': 'windows-31j',
        'eucjpms': 'x-eucJP-Open',
        'euckr': 'EUC-KR',
        'greek': 'ISO-8859-7',
        'hebrew': 'ISO-8859-8',
        'koi8r': 'KOI8-R',
        'koi8u': 'KOI8-U',
        'latin2': 'ISO-8859-2',
        'latin5': 'ISO-8859-9',
        'latin7': 'ISO-8859-13',
        'ucs2': 'UTF-16BE',
        'ujis': 'EUC-JP',
        'utf16': 'UTF-16BE',
        'utf16le': 'UTF-16LE',
        'utf32': 'UTF-32BE',
    } -%}
    {%- set pairs = [] -%}
    {%- for name, java_name in java_names.items() -%}
        {%- do pairs.append("'" ~ name ~ "', '" ~ java_name ~ "'") -%}
    {%- endfor -%}

    {%- set java_charset = 'coalesce(try_element_at(map(' ~ pairs | join(', ') ~ '), charset), charset)' -%}
    {%- set decoded_by_java = kafka_cdc.sql_let({
        'percent': "regexp_replace(hex(encoded), '(..)', '%$1')",
        'decoded': "try_reflect('java.net.URLDecoder', 'decode', percent, " ~ java_charset ~ ')',
    }, "if(contains(decoded, '\\uFFFD'), null, decoded)") -%}

    {%- set decoded -%}
    case
        when charset in ('utf8', 'utf8mb3', 'utf8mb4', 'utf-8', 'ascii', 'us-ascii')
            then if(is_valid_utf8(cast(encoded as string)), cast(encoded as string), null)
        when charset = 'binary' then base64(encoded)
        when charset = 'latin1' then translate(
            decode(encoded, 'ISO-8859-1'),
            decode(X'8082838485868788898A8B8C8E9192939495969798999A9B9C9E9F', 'ISO-8859-1'),
            '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
        )
        else {{ decoded_by_java | indent(8) }}
    end
    {%- endset -%}

    {{ kafka_cdc.sql_let({'encoded': bytes, 'charset': 'lower(' ~ charset ~ ')'}, decoded) }}
{%- endmacro %}

{#
  Prints SQL for the text that bytes say in a character set; null where they are not text of it, or nobody knows it. Bytes of `binary`
  become base64.
  charset: SQL for its name, MySQL's or Java's. latin1 is MySQL's: Windows-1252, and its five unused bytes are control characters.
  Spark decodes few character sets, Java nearly all of them: it reads them as a URL's percent signs.
#}
{% macro decoded_text(bytes, charset) -%}
    {%- set java_names = {
        'cp932': 'windows-31j', 'eucjpms': 'x-eucJP-Open', 'euckr': 'EUC-KR', 'greek': 'ISO-8859-7', 'hebrew': 'ISO-8859-8', 'koi8r': 'KOI8-R',
        'koi8u': 'KOI8-U', 'latin2': 'ISO-8859-2', 'latin5': 'ISO-8859-9', 'latin7': 'ISO-8859-13', 'ucs2': 'UTF-16BE', 'ujis': 'EUC-JP',
        'utf16': 'UTF-16BE', 'utf16le': 'UTF-16LE', 'utf32': 'UTF-32BE',
    } -%}
    {%- set names = [] -%}
    {%- for name, java_name in java_names.items() %}{% do names.append("'" ~ name ~ "', '" ~ java_name ~ "'") %}{% endfor -%}
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
        else {{ kafka_cdc.sql_let(
            {'percent': "regexp_replace(hex(encoded), '(..)', '%$1')",
             'decoded': "try_reflect('java.net.URLDecoder', 'decode', percent, coalesce(try_element_at(map(" ~ names | join(', ') ~ '), charset), charset))'},
            "if(contains(decoded, '\\uFFFD'), null, decoded)"
        ) | indent(8) }}
    end
    {%- endset -%}
    {{ kafka_cdc.sql_let({'encoded': bytes, 'charset': 'lower(' ~ charset ~ ')'}, decoded) }}
{%- endmacro %}

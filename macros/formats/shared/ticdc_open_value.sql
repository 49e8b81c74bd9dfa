{#
  Prints an expression: the text of a value of TiCDC's open protocol, null if it cannot be decoded.

  Texts become text, and bytes become base64. Everything else stays as it is.

  Requires: the lambda variable `one`, a column with its type `t`, its flags `f` and its value `v`.
#}
{% macro ticdc_open_value() -%}
    {%- set is_binary = 'try_cast(one.f as int) & 1 = 1' -%}
    {%- set decoded_text = "cast(try_to_binary(one.v, 'base64') as string)" -%}
    case
        when one.t in ('249', '250', '251', '252') then
            if(
                {{ is_binary }},
                if(try_to_binary(one.v, 'base64') is not null, one.v, null),
                if(is_valid_utf8({{ decoded_text }}), {{ decoded_text }}, null)
            )
        when one.t in ('15', '253', '254') and {{ is_binary }}
            then base64({{ kafka_cdc._ticdc_open_unquoted() | indent(12) }})
        else one.v
    end
{%- endmacro %}

{#
  Prints an expression: the bytes of a text that Go's strconv.Quote has escaped.

  The escapes are \x and the two digits of a byte, and \u and \U with the number of a character. A
  backslash with one of abfnrtv\" is an escape, too.
#}
{% macro _ticdc_open_unquoted() -%}
    {%- set bytes_of_character = "hex(encode(decode(unhex(substring(piece, 3)), '{0}'), 'UTF-8'))" -%}
    {%- set bytes -%}
    case
        when startswith(piece, r'\x') then substring(piece, 3)
        when startswith(piece, r'\u') then {{ bytes_of_character.format('UTF-16BE') }}
        when startswith(piece, r'\U') then {{ bytes_of_character.format('UTF-32') }}
        when piece rlike r'^\\'
            then substring('070809220A0D0B5C0C', 2 * instr(r'abt"nrv\f', substring(piece, 2)) - 1, 2)
        else hex(piece)
    end
    {%- endset -%}

    {%- set pattern -%}
    r'\\x[0-9a-f]{2}|\\u(?!d[89a-f])[0-9a-f]{4}|\\U00(?:0[1-9a-f]|10)[0-9a-f]{4}|\\[abfnrtv\\"]|[^\\]+'
    {%- endset -%}

    {{ kafka_cdc.sql_let(
        {'pieces': 'regexp_extract_all(one.v, ' ~ pattern ~ ', 0)'},
        "if(array_join(pieces, '') = one.v, unhex(array_join(transform(pieces, piece -> " ~ bytes ~ "), '')), null)"
    ) }}
{%- endmacro %}

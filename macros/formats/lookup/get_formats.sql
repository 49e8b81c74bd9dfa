{#
  Returns the slugs of all message formats, in the order in which `auto` tries them.

  A project that installs this package may have formats of its own. It lists them in the setting
  `formats` and has their macros format_<slug>. They come before the package's formats.

  Returns: list[string].
#}
{% macro get_formats() %}
    {%- set own = kafka_cdc.get_setting_list(
        setting='formats',
        valid='a list of slugs, each with a macro format_<slug> in your project',
        hint='write [acme_json]'
    ) -%}

    {%- for slug in own
        if slug is not string
        or not modules.re.match('[a-z][a-z0-9_]*\\Z', slug)
        or slug in kafka_cdc.get_package_formats()
    -%}
        {{ kafka_cdc.raise_setting_error(
            'formats',
            slug,
            'a slug of your own, of a-z, 0-9 and _',
            'the formats of the package need no entry'
        ) }}
    {%- endfor -%}

    {{ return(own | list + kafka_cdc.get_package_formats()) }}
{% endmacro %}

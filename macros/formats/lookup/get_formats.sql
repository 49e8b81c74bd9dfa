{#
  Returns the slugs of all formats in the order in which topics that are read as `auto` try them: those that a project which installs this one has of
  its own (setting formats; the project has their macros format_<slug>), then the package's.
#}
{% macro get_formats() %}
    {%- set own = var('formats', []) or [] -%}
    {%- if own is string or own is mapping or own is not iterable -%}
        {{ kafka_cdc.raise_setting_error('formats', own, 'a list of slugs, each with a macro format_<slug> in your project', 'write [acme_json]') }}
    {%- endif -%}
    {%- for slug in own if slug is not string or not modules.re.match('[a-z][a-z0-9_]*\\Z', slug) or slug in kafka_cdc.get_package_formats() -%}
        {{ kafka_cdc.raise_setting_error('formats', slug, 'a slug of your own, of a-z, 0-9 and _', 'the package\'s formats need no line') }}
    {%- endfor -%}
    {{ return(own | list + kafka_cdc.get_package_formats()) }}
{% endmacro %}

{#
  Returns which line of the setting `topics` counts for a topic: the first one that matches.

  Names are compared with globs only, and never with each other, as there may be thousands.

  Arguments:
    lines (list[dict[string, any]]): lines as get_topic_settings returns them, or with more keys.

  Returns: a dictionary:
    * names: a dictionary of each whole name, one without a glob, to its line.
    * patterns: the lines that have globs, in order, each with its `globs`.
#}
{% macro get_lines_by_topic(lines) %}
    {%- set names = {} -%}
    {%- set patterns = [] -%}
    {%- for line in lines -%}
        {%- set globs = [] -%}
        {%- for topic in line.topic -%}
            {%- if '*' in topic or '?' in topic -%}
                {%- do globs.append(topic) -%}
            {%- else -%}
                {%- for pattern in patterns -%}
                    {%- for glob in pattern.globs if kafka_cdc.has_glob_match(topic, glob) -%}
                        {%- do names.setdefault(topic, pattern) -%}
                    {%- endfor -%}
                {%- endfor -%}
                {%- do names.setdefault(topic, line) -%}
            {%- endif -%}
        {%- endfor -%}
        {%- if globs -%}
            {%- do patterns.append(dict(line, globs=globs)) -%}
        {%- endif -%}
    {%- endfor -%}

    {{ return({'names': names, 'patterns': patterns}) }}
{% endmacro %}

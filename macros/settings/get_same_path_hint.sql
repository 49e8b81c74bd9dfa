{#
  Returns the hint of an error about two tables of a stream that have one path.

  Example: table `c` of database `a.b`, and table `b.c` of database `a`.

  Returns: a string.
#}
{% macro get_same_path_hint() %}
    {{ return(
        'their databases, schemas and tables differ, but have dots in their names; '
            ~ 'set another source for the topics of one of them in topics, and replay these topics'
    ) }}
{% endmacro %}

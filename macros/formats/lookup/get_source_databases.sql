{#
  Returns which kind of database a source is, from what its events contain.

  The kinds are those of seeds/source_types.csv. The first entry that matches counts.

  Returns: list[list[string]], entries of format, source_database_type and kind. The first two are
  globs in lower case. The database type is '' if no message contains it.
#}
{% macro get_source_databases() %}
    {{ return([
        ['oceanbase_oms_canal', '', 'mysql'],
        ['goldengate', '', 'oracle'],
        ['alibaba_dts_shareplex', '', 'oracle'],
        ['*', '*mysql*', 'mysql'],
        ['*', '*mariadb*', 'mysql'],
        ['*', '*taurus*', 'mysql'],
        ['*', 'tidb', 'mysql'],
        ['*', 'oceanbase', 'mysql'],
        ['*', '*postgres*', 'postgresql'],
        ['*', '*cockroach*', 'postgresql'],
        ['*', '*gaussdb*', 'postgresql'],
        ['*', '*yugabyte*', 'postgresql'],
        ['*', 'ppas', 'postgresql'],
        ['*', 'drds', 'mysql'],
        ['*', '*oracle*', 'oracle'],
        ['*', '*sql*server*', 'sqlserver'],
        ['*', '*db2*', 'db2'],
        ['*', '*mongo*', 'mongodb'],
    ]) }}
{% endmacro %}

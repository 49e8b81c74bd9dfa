{#
  Returns which kind of database a source is, as seeds/source_types.csv names them, from what events say of it: lines of format,
  source_database_type (both globs, in lower case; '' where no message says it) and database. The first line that matches counts.
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
        ['*', '*gaussdb*', 'postgresql'],
        ['*', 'ppas', 'postgresql'],
        ['*', 'drds', 'mysql'],
        ['*', '*oracle*', 'oracle'],
        ['*', '*sql*server*', 'sqlserver'],
        ['*', '*db2*', 'db2'],
        ['*', '*mongo*', 'mongodb'],
    ]) }}
{% endmacro %}

"""The definition of current_rows: the query over all published events, without merged_rows."""

QUERY = """{{ kafka_cdc.select_current_rows(
    kafka_cdc.published_relation(ref('events')),
    kafka_cdc.published_relation(ref('event_batch_stats')),
    kafka_cdc.get_stream_facts(ref('event_batch_stats')),
    kafka_cdc.get_holds(ref('table_holds'), is_published=true)
) }}"""
ROW = """to_json(struct(* except (row_values, column_types),
    array_sort(map_entries(row_values)) as row_values, array_sort(map_entries(column_types)) as column_types))"""


def rows_that_differ(project):
    """Return the rows of current_rows that the definition does not have, and those that only it has, as JSON."""
    compiled = project.dbt("compile", "--inline", QUERY)
    definition = compiled.result.results[0].node.compiled_code
    current = project.spark.sql(f"select {ROW} as row from cdc_{project.name}.current_rows")
    defined = project.spark.sql(f"select {ROW} as row from ({definition}) as defined")
    return {
        "only in current_rows": [row.row for row in current.exceptAll(defined).collect()],
        "missing": [row.row for row in defined.exceptAll(current).collect()],
    }


def assert_defined_rows(project, where=""):
    """Fail if current_rows is not what the definition gives."""
    found = rows_that_differ(project)
    assert not any(found.values()), (where, {name: rows[:3] for name, rows in found.items()})

"""A test that found nothing is skipped only while its SQL and all that it reads are the same."""

import pytest
from test_runs import NOW, TOPICS, messages

from conftest import long

TIMED = {
    "topics_meet_expectations_topic_expectations_",
    "topics_meet_expectations_topic_expectations_fail",
}


@pytest.fixture(scope="module")
def known(project):
    """A project whose tests found nothing in its last two builds."""
    known = project("known", topics=TOPICS)
    known.land(messages(1, 10), landed_at=NOW)
    known.dbt("build", "--exclude", "staging")
    known.dbt("build", "--exclude", "staging")
    return known


def results(run):
    """Return the status of each test that was asked, by name, and the names of the others."""
    tests = [r for r in run.result if r.node.resource_type == "test"]
    skipped = {r.node.name for r in tests if r.adapter_response.get("_message") == "unchanged"}
    asked = {r.node.name: str(r.status) for r in tests if r.node.name not in skipped}
    assert all(str(r.status) == "pass" for r in tests if r.node.name in skipped)
    return asked, skipped


def test_a_build_with_nothing_new_asks_only_what_depends_on_the_time(known):
    asked, skipped = results(known.dbt("build", "--exclude", "staging"))
    assert asked == dict.fromkeys(TIMED, "pass")
    assert len(skipped) == 12


@long
def test_a_run_without_the_views_asks_what_reads_them(known):
    """Somebody may have changed a view since the build. `dbt test` does not build it."""
    asked, skipped = results(known.dbt("test"))
    assert "split_updates_are_paired_split_updates_" in asked
    assert "every_message_has_one_outcome_events_" in skipped


@long
def test_what_was_not_published_is_tested_when_it_is(known):
    """A build of one view tests what is published, although events has a later version."""
    known.land(messages(10, 20), landed_at=NOW)
    known.dbt("run", "--select", "events", "event_batch_stats")
    known.dbt("build", "--select", "split_updates")
    asked, _ = results(known.dbt("build", "--exclude", "staging"))
    assert "split_updates_are_paired_split_updates_" in asked
    known.dbt("build", "--exclude", "staging")


@long
def test_a_changed_setting_is_tested(known):
    other = [{**TOPICS[0], "source": "another"}]
    asked, _ = results(known.dbt("build", "--exclude", "staging", topics=other))
    assert asked["topics_are_read_as_mapped_outdated_topic_mappings_"] == "pass"
    assert asked["tables_are_not_held_held_tables_"] == "warn"
    again, _ = results(known.dbt("build", "--exclude", "staging", topics=other))
    assert again["tables_are_not_held_held_tables_"] == "warn"


def test_a_changed_table_is_tested(known):
    known.dbt("build", "--exclude", "staging")
    known.query("insert into {cdc}.events select * from {cdc}.events limit 1")
    run = known.invoke("test", "--select", "events")
    asked, _ = results(run)
    assert asked["every_message_has_one_outcome_events_"] == "fail"
    assert asked["messages_are_in_one_batch_events_"] == "pass"


@long
def test_lost_messages_are_tested(known):
    known.dbt("build", "--exclude", "staging")
    known.query("delete from {raw}.kafka_messages where offset = 3")
    run = known.invoke("test", "--select", "events")
    assert results(run)[0]["every_message_has_one_outcome_events_"] == "fail"

"""The tool that counts how often Spark expands the CTEs of a query."""

import pytest
from tools.cte_expansions import count_expansions

pytestmark = pytest.mark.rules

CASES = {
    "one reference": ("with a as (select 1) select * from a", {"a": 1}),
    "none": ("with a as (select 1) select * from other.a", {"a": 0}),
    "references multiply": (
        """
        with a as (select * from events),
        b as (select * from a left join a as other using (id)),
        c as (select * from (select * from b) as inner_b union all select * from b)
        select * from c
        """,
        {"a": 4, "b": 2, "c": 1},
    ),
    "a CTE in a CTE": (
        """
        with a as (select 1),
        b as (with c as (select * from a) select * from c inner join c as other using (id))
        select * from b cross join b as other
        """,
        {"a": 4, "b": 2, "c": 4},
    ),
    "texts and comments": (
        """
        -- from a
        with a as (select 'from a', ') from a' /* join a */)
        select * from a where extract(day from at) > 1
        """,
        {"a": 1},
    ),
}


@pytest.mark.parametrize("sql, expected", CASES.values(), ids=CASES)
def test_expansions_are_counted(sql, expected):
    assert count_expansions(sql) == expected

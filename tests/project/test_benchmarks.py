"""The benchmark runs rarely, so that a broken import would stay for long."""

import subprocess
import sys

import pytest

from conftest import HOME

pytestmark = pytest.mark.rules


@pytest.mark.parametrize("module", ["benchmarks.__main__", "benchmarks.peers.__main__"])
def test_the_benchmark_can_be_imported(module):
    run = subprocess.run(
        [sys.executable, "-c", f"import {module}"], cwd=HOME, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr

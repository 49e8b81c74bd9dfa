"""Run Flink's parsing of change messages, with the Python of .peers.

Usage: `python flink_job.py FORMAT FOLDER SLOTS COLUMN …`. Each line on standard input starts a run.
The process prints one line of JSON per run, with its seconds. An error ends it.
"""

import json
import os
import sys
import time
from pathlib import Path

from pyflink.common import Configuration
from pyflink.java_gateway import get_gateway
from pyflink.table import EnvironmentSettings, TableEnvironment


def prepare(format_: str, folder: str, slots: str, columns: list[str]) -> TableEnvironment:
    """Return an environment with the tables messages (the files of a folder) and nothing.

    The table nothing discards its rows.
    """
    settings = {
        "parallelism.default": slots,
        "taskmanager.numberOfTaskSlots": slots,
        "pipeline.object-reuse": "true",
    }
    # Flink rejects these formats in batch mode. A streaming job ends with its files, too.
    environment = TableEnvironment.create(
        EnvironmentSettings.new_instance()
        .in_streaming_mode()
        .with_configuration(Configuration.from_dict(settings))
        .build()
    )
    row = ", ".join(f"`{column}` STRING" for column in columns)
    environment.execute_sql(
        f"CREATE TABLE messages ({row}) WITH ('connector' = 'filesystem', 'path' = '{folder}', 'format' = '{format_}')"
    )
    environment.execute_sql(f"CREATE TABLE nothing ({row}) WITH ('connector' = 'blackhole')")
    return environment


def ticks_of(folder: Path) -> int:
    """Return the processor time of a process, with its ended threads, or of a thread, from /proc."""
    user, system = (folder / "stat").read_text().rpartition(")")[2].split()[11:13]
    return int(user) + int(system)


def processor_time(process: Path) -> tuple[int, dict[str, int]]:
    """Return the ticks of the process and of each of its threads."""
    threads = {}
    for thread in (process / "task").iterdir():
        try:
            threads[thread.name] = ticks_of(thread)
        except OSError:  # it has ended
            continue
    return ticks_of(process), threads


def run(environment: TableEnvironment, process: Path) -> dict[str, float]:
    """Return the seconds of one job: its wall time, that with planning, and its processor time.

    The threads of the tasks and of the mini cluster live as long as the job. The other threads exist
    before and after it. They do JIT compilation, garbage collection and planning, which do not count.
    """
    total, threads = processor_time(process)
    begin = time.perf_counter()
    client = environment.execute_sql("INSERT INTO nothing SELECT * FROM messages").get_job_client()
    job = client.get_job_execution_result().result().get_net_runtime() / 1000
    whole = time.perf_counter() - begin
    time.sleep(0.5)  # the cluster ends a moment later
    total_after, threads_after = processor_time(process)
    others = sum(ticks - threads[name] for name, ticks in threads_after.items() if name in threads)
    return {
        "job": job,
        "whole": whole,
        "processor": (total_after - total - others) / os.sysconf("SC_CLK_TCK"),
    }


def main(format_: str, folder: str, slots: str, *columns: str) -> None:
    """Serve runs until standard input ends."""
    environment = prepare(format_, folder, slots, list(columns))
    process = Path(f"/proc/{get_gateway().jvm.java.lang.ProcessHandle.current().pid()}")
    for _ in sys.stdin:
        print(json.dumps(run(environment, process)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""A process that reads dbt's project once, and for each line that it is told makes of itself a process that builds.

A build that may be killed is so a whole process with a JVM of its own, but need not read the project first, which takes longer than
the build. Told on stdin, a JSON object a line: first {"options": [...]}, those of `dbt parse`, answered with "ready"; then {"start":
[arguments], "output": file}, answered with the process's id, or {"wait": id}, answered with its exit code (negative: the signal).
"""

import json
import os
import sys

from dbt.cli.main import dbtRunner


def build(manifest, arguments, output):
    """Run dbt as the leader of a new process group that says all to a file; end the process."""
    os.setsid()
    said = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(said, 1)
    os.dup2(said, 2)
    code = 2
    try:
        code = 0 if dbtRunner(manifest=manifest).invoke(arguments).success else 1
    finally:
        sys.stdout.flush()
        os._exit(code)


def main():
    """Answer line after line."""
    parsed = dbtRunner().invoke(["--quiet", "parse", *json.loads(sys.stdin.readline())["options"]])
    assert parsed.success, parsed.exception
    print("ready", flush=True)
    for line in sys.stdin:
        told = json.loads(line)
        if "wait" in told:
            answer = os.waitstatus_to_exitcode(os.waitpid(told["wait"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                build(parsed.result, told["start"], told["output"])
        print(answer, flush=True)


if __name__ == "__main__":
    main()

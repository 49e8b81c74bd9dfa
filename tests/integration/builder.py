"""A process that parses the dbt project once, and forks a build for each line on standard input.

A build that may be killed is therefore a whole process with its own JVM. It need not parse the project, which takes longer than
the build. Each line on standard input is a JSON object:

{"options": [...]}                       first, the options of `dbt parse`. The answer is "ready".
{"start": [arguments], "output": file}   starts a build. The answer is its process id.
{"wait": id}                             waits for a build. The answer is its exit code (negative: the signal).
"""

import json
import os
import sys

from dbt.cli.main import dbtRunner


def build(manifest, arguments, output):
    """Run dbt as the leader of a new process group that prints to a file, then end the process."""
    os.setsid()
    file = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    code = 2
    try:
        code = 0 if dbtRunner(manifest=manifest).invoke(arguments).success else 1
    finally:
        sys.stdout.flush()
        os._exit(code)


def main():
    """Answer each line."""
    parsed = dbtRunner().invoke(["--quiet", "parse", *json.loads(sys.stdin.readline())["options"]])
    assert parsed.success, parsed.exception
    print("ready", flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        if "wait" in request:
            answer = os.waitstatus_to_exitcode(os.waitpid(request["wait"], 0)[1])
        else:
            answer = os.fork()
            if answer == 0:
                build(parsed.result, request["start"], request["output"])
        print(answer, flush=True)


if __name__ == "__main__":
    main()

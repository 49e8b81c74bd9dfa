#!/bin/sh
# Checks what the project needs of the machine: Python 3.10 to 3.13 with venv, and Java 17 or 21, which Spark supports.
# Arguments: the Python to use; if it is empty, the first of python3.11, python3.12, python3.13 and python3.10 that works.
# Prints: the Python. If something is missing, it prints one line on stderr with what to install.
python_version() {
    "$1" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null
}
is_supported() {
    case $(python_version "$1") in
        3.10 | 3.11 | 3.12 | 3.13) ;;
        *) return 1 ;;
    esac
}
python=$1
if [ -z "$python" ]; then
    for python in python3.11 python3.12 python3.13 python3.10 python3; do
        is_supported "$python" && break
    done
fi
if ! is_supported "$python"; then
    version=$(python_version "$python")
    echo "kafka_cdc needs Python 3.10 to 3.13 with venv; '$python' is ${version:-not usable}. Install it: apt install python3 python3-venv, brew install python@3.12 or pyenv install 3.12; then run make PYTHON=/path/to/python3.12" >&2
    exit 1
fi
"${0%/*}/check_java.sh" || exit 1
echo "$python"

#!/bin/sh
# Says in one line what this machine lacks: Python 3.11, and Java 17 (21 is Spark's other supported release).
python=$1
version=$("$python" -c 'import sys, venv, ensurepip; print("%d.%d" % sys.version_info[:2])' 2>/dev/null)
if [ "$version" != 3.11 ]; then
    echo "kafka_cdc needs Python 3.11 with venv; '$python' is ${version:-not usable}. Get it: apt install python3.11-venv, brew install python@3.11 or pyenv install 3.11; then make PYTHON=/path/to/python3.11" >&2
    exit 1
fi
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -n 1)
case $version in
    17 | 21) ;;
    *)
        echo "kafka_cdc needs Java 17; '$java' is ${version:+Java }${version:-missing}. Get it: apt install openjdk-17-jre-headless, brew install openjdk@17 or adoptium.net; then set JAVA_HOME" >&2
        exit 1
        ;;
esac

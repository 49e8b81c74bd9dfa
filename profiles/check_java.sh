#!/bin/sh
# Checks that Java is 17 or 21, which Spark supports. JAVA_HOME selects it, else it is the java of PATH.
# Prints nothing. If Java is missing or another version, it prints one line on stderr with what to install.
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
version=$("$java" -version 2>&1 | sed -n 's/.*version "\(1\.\)*\([0-9]*\).*/\2/p' | head -n 1)
case $version in
    17 | 21) ;;
    *)
        echo "kafka_cdc needs Java 17 or 21; '$java' is ${version:+Java }${version:-missing}. Install it: apt install openjdk-17-jre-headless, brew install openjdk@17 or adoptium.net; then set JAVA_HOME" >&2
        exit 1
        ;;
esac

#!/usr/bin/env bash
# Sets the clock of a running service back by an hour while searches are posted, and starts it again in that time. Needs
# libfaketime (apt-get install faketime). Run it from the repository's root.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"

libraries=(/usr/lib/*/faketime/libfaketimeMT.so.1)
[ ${#libraries[@]} -gt 0 ] || fail "libfaketime is not installed"
set_clock() { echo "$1" >"$work/clock.new" && mv "$work/clock.new" "$work/clock"; }
accepted() { cat "$work"/ids.* | wc -l; }
# libfaketime makes every look at the clock dear: the less for compiler and collector.
start() {
  JDK_JAVA_OPTIONS="-XX:TieredStopAtLevel=1 -XX:+UseSerialGC" LD_PRELOAD=${libraries[0]} \
    FAKETIME_TIMESTAMP_FILE=$work/clock FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
    start_service --optimizer.storage.folder="$work/data"
}

set_clock +0
start
start_posting
until [ "$(accepted)" -ge 20 ]; do sleep 0.5; done
set_clock -1h
say "the clock is set back by an hour"
sleep 5
[ "$(status "$health")" = 200 ] || fail "health is not UP"
say "$(accepted) were accepted"
sleep 65
[ "$(status "$health/liveness")" = 200 ] || fail "liveness is not UP after a minute"
stop_posting
begin=$(date +%s)
expect_nothing_lost
say "of which the last ended $(($(date +%s) - begin)) s after it was looked for"
kill -TERM "$service_pid"
wait "$service_pid" || true
set_clock -2h
start
say "started again, another hour earlier"
start_posting
sleep 5
stop_posting
expect_answers '200|202|503'
expect_nothing_lost
say "PASSED"

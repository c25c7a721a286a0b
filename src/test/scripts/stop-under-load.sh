#!/usr/bin/env bash
# Stops the service with SIGTERM while searches are posted, and starts it again on the same database, three times. Run it
# from the repository's root.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"

start_service --optimizer.storage.folder="$work/data"
start_posting
for round in 1 2 3; do
  sleep 2
  kill -TERM "$service_pid"
  code=0
  wait "$service_pid" || code=$?
  say "round $round: stopped with exit code $code"
  [ "$code" = 143 ] || fail "expected 143, a stop in good order"
  start_service --optimizer.storage.folder="$work/data"
  say "round $round: started again"
done
sleep 2
stop_posting
# 000: nobody listens between the stop and the start.
expect_answers '200|202|503|000'
expect_nothing_lost
say "PASSED"

#!/usr/bin/env bash
# Stops a PostgreSQL and starts it again while searches are posted: in good order, at once, and hanging. Run it from the
# repository's root. Uses the binaries in PG_BIN, Debian's, or those that the tests have put into the temporary folder.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"
source "$(dirname "${BASH_SOURCE[0]}")/postgresql.sh"

start_service "${on_postgresql[@]}"
start_posting
for mode in fast immediate; do
  sleep 2
  stop_pg "$mode"
  say "stopped ($mode)"
  await_health 503
  say "health is DOWN"
  sleep 3
  start_pg
  await_health 200
  say "started again, and health is UP"
done
sleep 2
processes() { head -n 1 "$data/postmaster.pid" | xargs -I{} sh -c 'echo {}; pgrep -P {}'; }
cleanups=("kill -CONT \$(processes)" "${cleanups[@]}")
kill -STOP $(processes)
say "hangs"
await_health 503
say "health is DOWN"
sleep 3
kill -CONT $(processes)
await_health 200
say "goes on, and health is UP"
sleep 2
stop_posting
expect_answers '200|202|503'
expect_nothing_lost
say "PASSED"

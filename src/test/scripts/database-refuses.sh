#!/usr/bin/env bash
# Lets a PostgreSQL refuse writes, then keeps its tables locked until every connection of the service's pool waits, while searches
# are posted. Run it from the repository's root.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"
source "$(dirname "${BASH_SOURCE[0]}")/postgresql.sh"

# As its owner, who may write all the same.
sql() { PGOPTIONS='-c default_transaction_read_only=off' run_pg psql -h 127.0.0.1 -p "$pg_port" -U optimizer -q postgres "$@" >/dev/null; }

start_service "${on_postgresql[@]}" --spring.datasource.hikari.maximum-pool-size=4
start_posting
sleep 2
sql -c "ALTER SYSTEM SET default_transaction_read_only = on" -c "SELECT pg_reload_conf()"
say "read only"
await_health 503
say "health is DOWN; answers by status: $(answers)"
sleep 5
[ "$(status "$optimizations")" = 200 ] || fail "what is stored cannot be read"
[ "$(status "$health/liveness")" = 200 ] || fail "liveness is not UP"
sql -c "ALTER SYSTEM RESET default_transaction_read_only" -c "SELECT pg_reload_conf()"
await_health 200
say "writable again, and health is UP; answers by status: $(answers)"

sleep 2
sql -c "BEGIN" -c "LOCK TABLE optimization_job" -c "SELECT pg_sleep(25)" -c "COMMIT" &
locker=$!
say "every connection waits for a lock, for 25 s"
sleep 1
begin=$(date +%s%N)
code=$(status "$optimizations")
say "asked for a list, answered $code after $((($(date +%s%N) - begin) / 1000000)) ms; health $(status "$health"), liveness $(status "$health/liveness")"
wait "$locker"
await_health 200
say "unlocked, and health is UP"
sleep 2
stop_posting
expect_answers '200|202|503'
expect_nothing_lost
say "PASSED"

#!/usr/bin/env bash
# Stops a PostgreSQL and starts it again while searches are posted: in good order, at once, and hanging. Run it from the
# repository's root. Uses the binaries in PG_BIN, Debian's, or those that the tests have put into the temporary folder.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"

found=(/usr/lib/postgresql/*/bin/initdb "${TMPDIR:-/tmp}"/embedded-pg/PG-*/bin/initdb)
[ -n "${PG_BIN:-}" ] || [ ${#found[@]} -gt 0 ] || fail "no PostgreSQL found; PG_BIN names the folder of its initdb and pg_ctl"
bin=${PG_BIN:-$(dirname "${found[0]}")}
pg_port=$((port + 1))
data=$work/postgresql
mkdir "$data"

# PostgreSQL does not run as root.
run_pg() { "$bin/$@"; }
if [ "$(id -u)" = 0 ]; then
  chmod 711 "$work"
  chown nobody "$data"
  run_pg() { (cd / && setpriv --reuid=nobody --clear-groups "$bin/$@"); }
fi
start_pg() { run_pg pg_ctl --pgdata="$data" --log="$data/log" --wait start >/dev/null; }
stop_pg() { run_pg pg_ctl --pgdata="$data" --mode="$1" --wait stop >/dev/null; }

run_pg initdb --pgdata="$data" --username=optimizer --auth=trust >/dev/null
printf '%s\n' "port = $pg_port" "listen_addresses = '127.0.0.1'" "unix_socket_directories = ''" >>"$data/postgresql.conf"
start_pg
cleanups+=("stop_pg immediate")
say "PostgreSQL of $bin listens on port $pg_port"

start_service --spring.datasource.url="jdbc:postgresql://127.0.0.1:$pg_port/postgres" --spring.datasource.username=optimizer
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

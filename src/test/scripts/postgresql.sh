# A PostgreSQL of the scripts' own, on port $pg_port with its data in $data; they source it after faults.sh. Uses the binaries in
# PG_BIN, Debian's, or those that the tests have put into the temporary folder.
found=(/usr/lib/postgresql/*/bin/initdb "${TMPDIR:-/tmp}"/embedded-pg/PG-*/bin/initdb)
[ -n "${PG_BIN:-}" ] || [ ${#found[@]} -gt 0 ] || fail "no PostgreSQL found; PG_BIN names the folder of its initdb and pg_ctl"
bin=${PG_BIN:-$(dirname "${found[0]}")}
pg_port=$((port + 10))
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
on_postgresql=(--spring.datasource.url="jdbc:postgresql://127.0.0.1:$pg_port/postgres" --spring.datasource.username=optimizer)

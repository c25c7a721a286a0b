#!/usr/bin/env bash
# Mixed load on two replicas with one PostgreSQL, one of them restarted after each sixth of the time, by SIGTERM and SIGKILL in
# turn. Prints what Soak.java has measured and a line for each life of a replica; ends with exit code 0 if nothing was lost. Run
# it from the repository's root: soak.sh [SECONDS], half an hour by default.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"
source "$(dirname "${BASH_SOURCE[0]}")/postgresql.sh"

seconds=${1:-1800}
export JDK_JAVA_OPTIONS="-Xmx512m -XX:+UseSerialGC"
pids=("" "")
lives=(0 0)
starts=("" "")
url() { echo "http://127.0.0.1:$((port + $1))"; }

start_replica() {
  local command
  command=$(service_command)
  $command --server.port="$((port + $1))" --optimizer.retention.count=1000000 "${on_postgresql[@]}" >>"$work/service.log" 2>&1 &
  pids[$1]=$!
  service_pid="${pids[*]}"
  lives[$1]=$((lives[$1] + 1))
  await_ready "${pids[$1]}" "$(url "$1")"
}

# The line of a life that ends by $2.
end_of_life() {
  local end line="| $(($1 + 1)) | ${lives[$1]} | $2 |" before=(${starts[$1]}) after i
  after=($(figures "${pids[$1]}"))
  for i in 0 1 2 3; do line+=" ${before[$i]} to ${after[$i]} |"; done
  echo "$line" >>"$work/lives"
}

start_replica 0
start_replica 1
JDK_JAVA_OPTIONS=-Xmx512m ${JAVA_HOME:+$JAVA_HOME/bin/}java src/test/java/io/throughputoptimizer/job/Soak.java \
  "$seconds" "$(url 0)" "$(url 1)" >"$work/load.log" 2>&1 &
load=$!
poster_pids+=("$load")
await_load $load
begin=$(date +%s)
say "$(grep '^asked alone' "$work/load.log"); load for $seconds s"
starts=("$(figures "${pids[0]}")" "$(figures "${pids[1]}")")
for restart in 1 2 3 4 5; do
  sleep_until $((begin + restart * seconds / 6))
  replica=$((restart / 2 % 2))
  signal=$([ $((restart % 2)) = 1 ] && echo TERM || echo KILL)
  end_of_life $replica "SIG$signal"
  kill -"$signal" "${pids[$replica]}"
  wait "${pids[$replica]}" 2>/dev/null || true
  start_replica $replica
  say "replica $((replica + 1)) was restarted after SIG$signal"
  sleep $((seconds < 600 ? 2 : 20))
  starts[$replica]=$(figures "${pids[$replica]}")
done
sleep_until $((begin + seconds))
end_of_life 0 "end of the load"
end_of_life 1 "end of the load"
code=0
wait $load || code=$?
cat "$work/load.log"
echo "| replica | life | ended by | heap after collection, MB | resident, MB | file handles | threads |"
sort "$work/lives"
echo "errors logged: $(grep -c ' ERROR ' "$work/service.log")"
grep ' ERROR ' "$work/service.log" | head -n 5 | cut -c1-300 || true
[ $code = 0 ] || fail "see above"
say "PASSED"

#!/usr/bin/env bash
# Mixed load on one process with the embedded database, on an empty folder, as a newcomer starts it, and never restarted. What
# has a lifetime has one of a twelfth of the time (of 30 s at least): connections, finished jobs; plans fall out of a small cache, event
# streams are looked at each second. Prints what Soak.java has measured, and figures of the process; ends with exit code 0 if
# nothing was lost or refused. Run it from the repository's root: soak-embedded.sh [SECONDS [PACE]], an hour by default; with
# PACE 4 callers pause four times as long.
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"

seconds=${1:-3600}
lifetime=$((seconds / 12 > 30 ? seconds / 12 : 30))
url=http://127.0.0.1:$port
export JDK_JAVA_OPTIONS="-Xmx512m -XX:+UseSerialGC"

metric() { curl --silent "$url/actuator/prometheus" | awk -v name="$1" '$1 ~ "^" name "({|$)" { sum += $2 } END { print sum + 0 }'; }
look() {
  local figures file
  figures=($(figures $service_pid))
  file=$(du -m "$work/data/throughput-optimizer.mv.db" | cut -f 1)
  echo "| $((($(date +%s) - begin) / 60)) | ${figures[0]} | ${figures[1]} | ${figures[2]} | ${figures[3]} | $file |" | tee -a "$work/looks"
}

command=$(service_command)
$command --server.port="$port" --optimizer.storage.folder="$work/data" --spring.datasource.hikari.max-lifetime="${lifetime}000" \
  --optimizer.retention.age="${lifetime}s" --optimizer.retention.count=1000000 --optimizer.cache.maximum-operators=2000 \
  --optimizer.http.keep-alive=1s >>"$work/service.log" 2>&1 &
service_pid=$!
await_ready $service_pid "$url"
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
JDK_JAVA_OPTIONS=-Xmx512m $java -Dsoak.kept=$lifetime -Dsoak.pace="${2:-1}" \
  src/test/java/io/throughputoptimizer/job/Soak.java "$seconds" "$url" >"$work/load.log" 2>&1 &
load=$!
poster_pids+=("$load")
await_load $load
begin=$(date +%s)
say "$(grep '^asked alone' "$work/load.log"); load for $seconds s, lifetimes of $lifetime s"
for part in 0 1 2 3 4 5; do
  sleep_until $((begin + part * seconds / 6))
  kill -0 $service_pid || fail "the service ended"
  look
done
sleep_until $((begin + seconds))
look
code=0
wait $load || code=$?
cat "$work/load.log"
echo "| minute | heap after collection, MB | resident, MB | file handles | threads | file of the database, MB |"
cat "$work/looks"
echo "connections made: $(metric hikaricp_connections_creation_seconds_count); rounds of retention that forgot jobs: $(
  grep -c 'forgot .* finished jobs' "$work/service.log" || true)"
echo "errors logged: $(grep -c ' ERROR ' "$work/service.log" || true)"
grep ' ERROR ' "$work/service.log" | head -n 5 | cut -c1-300 || true
[ $code = 0 ] || fail "see above"
say "PASSED"

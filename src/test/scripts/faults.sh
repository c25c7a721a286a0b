# What the scripts beside this one share; they source it. Needs bash, curl and a JDK 25 (JAVA_HOME, or java on the path).
#
# The service is target/throughput-optimizer-*.jar (./mvnw -DskipTests package); FAULTS_SERVICE names another command that
# starts it, FAULTS_PORT another port than 18080.
set -euo pipefail
shopt -s nullglob

port=${FAULTS_PORT:-18080}
optimizations=http://127.0.0.1:$port/api/v1/optimizations
health=http://127.0.0.1:$port/actuator/health
work=$(mktemp -d)
service_pid=
poster_pids=()
cleanups=()

say() { printf '%s %s\n' "$(date +%T)" "$*"; }

# Ends with the verdict "failed".
fail() {
  say "FAILED: $*"
  tail -n 20 "$work/service.log" 2>/dev/null | cut -c1-200
  exit 1
}

clean_up() {
  local pid step
  for pid in "${poster_pids[@]}" $service_pid; do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
  for step in "${cleanups[@]}"; do eval "$step" || true; done
  rm -rf "$work"
}
trap clean_up EXIT

# What starts the service, as words.
service_command() {
  local jars=(target/throughput-optimizer-*.jar)
  if [ -n "${FAULTS_SERVICE:-}" ]; then
    echo "$FAULTS_SERVICE"
  else
    [ ${#jars[@]} -gt 0 ] || fail "no jar in target; ./mvnw -DskipTests package makes it"
    echo "${JAVA_HOME:+$JAVA_HOME/bin/}java -jar ${jars[0]}"
  fi
}

# Waits until process $1, which answers under $2, is ready.
await_ready() {
  local waited
  for ((waited = 0; waited < 1200; waited++)); do
    kill -0 "$1" 2>/dev/null || fail "the service ended at its start"
    [ "$(status "$2/actuator/health/readiness")" != 200 ] || return 0
    sleep 0.1
  done
  fail "the service did not get ready"
}

# Starts the service with the given settings and waits until it is ready.
start_service() {
  local command
  command=$(service_command)
  $command --server.port="$port" --optimizer.recovery.heartbeat=500ms --optimizer.jobs.queue-capacity=100000 \
    --optimizer.retention.count=100000 "$@" >>"$work/service.log" 2>&1 &
  service_pid=$!
  await_ready $service_pid "http://127.0.0.1:$port"
}

# The status that a request is answered with; 000 if it is not.
status() { curl --silent --max-time 60 --output /dev/null --write-out '%{http_code}' "$@" || true; }

await_health() {
  local waited
  for ((waited = 0; waited < 600; waited++)); do
    [ "$(status "$health")" != "$1" ] || return 0
    sleep 0.1
  done
  fail "health was not $1 within a minute"
}

# Posts one small search after the other, as caller $1, until $work/enough is there, every one under a key. Each that is
# not accepted is sent again. Notes every answer in $work/answers.$1, and ids that were answered in $work/ids.$1.
post_searches() {
  local caller=$1 number=0 code
  : >"$work/ids.$caller"
  until [ -e "$work/enough" ]; do
    number=$((number + 1))
    until [ -e "$work/enough" ]; do
      code=$(curl --silent --max-time 60 --output "$work/body.$caller" --dump-header "$work/headers.$caller" \
        --write-out '%{http_code}' --header 'Content-Type: application/json' \
        --header "Idempotency-Key: $caller-$number" --data '{
          "model_id": "Qwen/Qwen3-8B", "devices": ["TEST_DEVICE"], "num_devices": 1, "mode": "disaggregation",
          "workload": {"input_length": '$((caller * 1000 + number % 1000))', "output_length": 100},
          "slo": {"ttft_ms": 4000}}' "$optimizations") || true
      [ "$code" != 503 ] || grep -qi '^retry-after:' "$work/headers.$caller" || code=503-without-retry-after
      echo "$code" >>"$work/answers.$caller"
      case $code in
        200 | 202)
          grep -o '"id": *"[^"]*"' "$work/body.$caller" | head -n 1 | cut -d'"' -f4 >>"$work/ids.$caller"
          break
          ;;
      esac
      sleep 0.1
    done
  done
}

start_posting() {
  local caller
  rm -f "$work/enough"
  for caller in 1 2 3 4; do
    post_searches "$caller" &
    poster_pids+=($!)
  done
}

stop_posting() {
  touch "$work/enough"
  wait "${poster_pids[@]}"
  poster_pids=()
}

answers() { cat "$work"/answers.* | sort | uniq -c | awk '{ printf "%s%s: %s", separator, $2, $1; separator = ", " }'; }

# Fails if an answer was another one than those given as a regular expression.
expect_answers() {
  say "answers by status: $(answers)"
  ! cat "$work"/answers.* | grep -qvxE "$1" || fail "expected only $1"
  cat "$work"/answers.* | grep -qxE '200|202' || fail "nothing was accepted"
}

# Fails if one of the accepted searches is not there, or does not succeed.
expect_nothing_lost() {
  local id state waited count=0
  for id in $(cat "$work"/ids.* | sort -u); do
    for ((waited = 0; waited < 1200; waited++)); do
      state=$(curl --silent --max-time 60 "$optimizations/$id" | grep -o '"status": *"[a-z]*"' | head -n 1 | cut -d'"' -f4 || true)
      case $state in succeeded) break ;; failed | cancelled) fail "search $id is $state" ;; esac
      sleep 0.1
    done
    [ "$state" = succeeded ] || fail "search $id was accepted and is ${state:-not there}"
    count=$((count + 1))
  done
  say "all $count accepted searches succeeded"
}

sleep_until() { sleep "$(($1 > $(date +%s) ? $1 - $(date +%s) : 0))"; }

# Of process $1: heap in use after a full collection and resident memory in MB, file handles, threads.
figures() {
  local pid=$1 tools=${JAVA_HOME:+$JAVA_HOME/bin/} heap
  "${tools}jcmd" "$pid" GC.run >/dev/null
  heap=$("${tools}jstat" -gc "$pid" | awk 'NR == 1 { for (i = 1; i <= NF; i++) name[i] = $i }
    NR == 2 { for (i = 1; i <= NF; i++) if (name[i] ~ /^(S0U|S1U|EU|OU)$/) used += $i; printf "%.0f", used / 1024 }')
  echo "$heap $(awk '/^VmRSS/ { printf "%.0f", $2 / 1024 }' "/proc/$pid/status") $(find "/proc/$pid/fd" -type l | wc -l) $(
    find "/proc/$pid/task" -mindepth 1 -maxdepth 1 | wc -l)"
}

# Waits until Soak.java, process $1, has asked every search alone and begins its load.
await_load() {
  until grep -qs '^asked alone' "$work/load.log"; do
    kill -0 "$1" || { cat "$work/load.log"; fail "the load did not begin"; }
    sleep 0.5
  done
}

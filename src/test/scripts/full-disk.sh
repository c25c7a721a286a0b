#!/usr/bin/env bash
# Fills the disk of the embedded database while searches are posted, and makes room again, three times. Run it from the
# repository's root: as root it mounts a tmpfs of 24 MB, else it limits the size of the service's files (prlimit).
source "$(dirname "${BASH_SOURCE[0]}")/faults.sh"

disk=$work/disk
mkdir "$disk"
if mount -t tmpfs -o size=24m tmpfs "$disk" 2>/dev/null; then
  cleanups+=("umount '$disk'")
  say "the database lies on a tmpfs of 24 MB"
  fill() { dd if=/dev/zero of="$disk/filler" bs=4k 2>/dev/null || true; }
  clear() { rm "$disk/filler"; }
else
  say "no tmpfs to be had: the service's files are limited instead"
  fill() { prlimit --pid="$service_pid" --fsize=0:unlimited; }
  clear() { prlimit --pid="$service_pid" --fsize=unlimited:unlimited; }
fi

start_service --optimizer.storage.folder="$disk/data"
start_posting
for round in 1 2 3; do
  sleep 2
  fill
  say "round $round: full"
  await_health 503
  say "round $round: health is DOWN"
  sleep 3
  [ "$(status "$health/liveness")" = 200 ] || fail "liveness is not UP"
  clear
  await_health 200
  say "round $round: room again, and health is UP"
done
sleep 2
stop_posting
expect_answers '200|202|503'
expect_nothing_lost
say "PASSED"

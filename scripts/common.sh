# shellcheck shell=bash
# Sourced by every script: strict mode, the project's root as working directory, and how much this
# machine can do at once.
set -euo pipefail
TACIT_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
cd "$TACIT_ROOT"

# Paths below the root are hashed as relative ones.
export CCACHE_BASEDIR=$TACIT_ROOT CCACHE_NOHASHDIR=1
# What a precompiled header was made of is compared by its contents.
export CCACHE_SLOPPINESS=pch_defines,time_macros
# What was not compiled before is not preprocessed for itself: the compiler says what it read.
export CCACHE_DEPEND=1

say() { printf '== %s\n' "$*" >&2; }

# die 1 "what happened" "what to do"
die() {
  printf 'ERROR:  %s\n' "$2" >&2
  [ $# -lt 3 ] || printf 'HINT:  %s\n' "$3" >&2
  exit "$1"
}

# Prints the comment at the head of the calling script, which is its manual.
usage() { sed -n '2,/^[^#]/{s/^# \{0,1\}//p}' "$0"; }

# TACIT_JOBS, else a job for each core but at least 1.5 GiB of memory for each job: a compiler under
# the sanitizers takes that much, and a machine that swaps builds nothing.
jobs_count() {
  local cores memory_kib by_memory
  if [ -n "${TACIT_JOBS:-}" ]; then
    [[ $TACIT_JOBS =~ ^[1-9][0-9]{0,3}$ ]] ||
      die 2 "TACIT_JOBS is '$TACIT_JOBS'" "set it to the number of jobs to run at once, for example 2"
    echo "$TACIT_JOBS"
    return
  fi
  cores=$(nproc)
  memory_kib=$(awk '/^MemTotal:/ {print $2}' /proc/meminfo)
  by_memory=$((memory_kib / 1572864))
  if [ "$by_memory" -lt 1 ]; then by_memory=1; fi
  if [ "$cores" -lt "$by_memory" ]; then echo "$cores"; else echo "$by_memory"; fi
}

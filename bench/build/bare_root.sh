# shellcheck shell=bash
# A Debian 12 with nothing but its base system and git, to measure in what a newcomer has. It is made
# once with debootstrap, in build/bare/base, and copied for each measurement; downloaded packages are in
# build/bare/archives, for all of them. It reaches packages the way
# this machine does: apt's sources, proxies, certificates and npm's settings are taken from here.
BARE=build/bare
PASSED_VARIABLES='^(https?_proxy|ftp_proxy|all_proxy|no_proxy|npm_config_.*|node_extra_ca_certs|ssl_cert_file|ssl_cert_dir)='

# inside ROOT COMMAND...: runs it in the root as its first process, with a clean environment. The
# mounts belong to a namespace that ends with the command, so that none is left behind, and nothing
# that the command started outlives it.
inside() {
  local root=$1 passed
  shift
  mapfile -t passed < <(env | grep -iE "$PASSED_VARIABLES" || true)
  # shellcheck disable=SC2016  # the words are expanded by the inner shell
  unshare --mount --propagation private --pid --fork --kill-child bash -euc '
    root=$1 archives=$2 && shift 2
    mount -t proc proc "$root/proc"
    mount --rbind /sys "$root/sys"
    mount --rbind /dev "$root/dev"
    mount --bind "$archives" "$root/var/cache/apt/archives"
    exec chroot "$root" env -i "$@"' inside "$root" "$BARE/archives" HOME=/root TERM=dumb LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    ${TACIT_JOBS:+TACIT_JOBS="$TACIT_JOBS"} ${passed[@]+"${passed[@]}"} "$@"
}

# here_too ROOT PATH...: copies what this machine has at those paths to the same ones in the root.
here_too() {
  local root=$1 path
  shift
  for path in "$@"; do
    if [ -e "$path" ]; then
      mkdir -p "$root$(dirname "$path")"
      cp -rL --preserve=mode "$path" "$root$(dirname "$path")"
    fi
  done
}

debian_sources() {
  apt-get indextargets 'Created-By: Packages' 'Origin: Debian' --format "$1" | sort -u
}

carry_settings() {
  local root=$1
  here_too "$root" /etc/resolv.conf /etc/hosts /etc/npmrc \
    /usr/local/share/ca-certificates /etc/ssl/certs/ca-certificates.crt \
    /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/apt/keyrings /etc/apt/trusted.gpg /etc/apt/trusted.gpg.d
  if [ -f "$HOME/.npmrc" ]; then cp "$HOME/.npmrc" "$root/root/.npmrc"; fi
  # shellcheck disable=SC2016  # apt's own names
  debian_sources 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' >"$root/etc/apt/sources.list"
  # Only how packages are reached: other settings of this machine may delete what was downloaded.
  apt-config dump | grep -E '^Acquire::(https?|Retries|Check-Valid-Until|ForceIPv[46])' \
    >"$root/etc/apt/apt.conf.d/99reach" || true
}

make_base() {
  local mirror making=$BARE/making
  if [ -d "$BARE/base" ]; then return; fi
  # shellcheck disable=SC2016
  mirror=$(apt-get indextargets 'Created-By: Packages' 'Codename: bookworm' --format '$(REPO_URI)' | head -n 1)
  [ -n "$mirror" ] || die 5 "apt knows no source for Debian 12" "bench build takes apt's sources from this machine"
  say "making a bare Debian 12"
  rm -rf "$making" && mkdir -p "$making"
  debootstrap --variant=minbase --include=git bookworm "$making" "$mirror" >"$BARE/debootstrap.log" 2>&1 || {
    tail -n 5 "$BARE/debootstrap.log" >&2
    die 5 "debootstrap could not make a bare Debian 12" "its report is in $BARE/debootstrap.log"
  }
  mkdir -p "$BARE/archives/partial"
  mv -n "$making"/var/cache/apt/archives/*.deb "$BARE/archives"
  mv "$making" "$BARE/base"
}

# The commit to measure and the packages that the purposes need go into the base, which has nothing
# installed still: what is measured is not the network.
download_packages() {
  say "downloading packages for: $*"
  carry_settings "$BARE/base"
  rm -rf "$BARE/base/root/tacit"
  git clone --quiet --no-hardlinks . "$BARE/base/root/tacit"
  # shellcheck disable=SC2016  # the words are expanded by the inner shell
  inside "$BARE/base" sh -euc 'apt-get -q update && cd /root/tacit &&
    apt-get -q install -y --no-install-recommends --download-only $(scripts/setup --list "$@")' sh "$@" \
    >"$BARE/downloads.log" 2>&1 || {
    tail -n 5 "$BARE/downloads.log" >&2
    die 5 "the packages could not be downloaded in the bare root" "apt's report is in $BARE/downloads.log"
  }
}

# fresh_root NAME: a bare root with a clone of this commit, in which nothing is installed yet.
fresh_root() {
  rm -rf "${BARE:?}/$1"
  cp -a --reflink=auto "$BARE/base" "$BARE/$1"
}

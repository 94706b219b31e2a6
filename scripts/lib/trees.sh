# shellcheck shell=bash disable=SC2154  # cache: common.sh sets it
# Roots of newer Debians, for guests (scripts/guest --root), made by debootstrap and kept in the cache. Sourced after
# common.sh.

tree_suites=(trixie sid)
# What the packages of touchroute and their tests need there; what bootstrap installs here, without toolkits.
tree_packages=(
  systemd systemd-sysv udev dbus dbus-daemon dbus-user-session kmod adduser procps iproute2
  libinput10 libinput-bin libinput-tools libevdev2 libudev1 libsystemd0 liblo7 libmosquitto1 libasound2t64
  mosquitto mosquitto-clients openssl python3 python3-yaml python3-jsonschema evtest strace busybox-static xz-utils
  gcc libc6-dev make pkg-config
)
tree_megabytes=2000

# Sets `tree` to the folder of a suite's root, and makes that if it is not there, was made otherwise, or of sid a month
# ago.
prepare_tree() { # SUITE PROGRAM...
  local suite=$1 mirror free lock partial key include
  shift
  [[ $(id -u) -eq 0 ]] || fail 1 "the root of another Debian is made and changed by root: run this as root"
  tree=$cache/trees/$suite
  partial=$tree.partial
  key=$(printf '%s\n' "$suite" "${tree_packages[@]}" | sha256sum | cut -c1-16)
  mkdir -p "$cache/trees"
  exec {lock}>"$tree.lock"
  flock "$lock"
  if [[ ! -e $tree/complete || $(<"$tree/complete") != "$key" ||
    ($suite == sid && -n $(find "$tree/complete" -mtime +30)) ]]; then
    command -v debootstrap >/dev/null || fail 1 "debootstrap is missing: run scripts/bootstrap --trees"
    mirror=$(debian_mirror)
    [[ -n $mirror ]] || fail 1 "apt knows no mirror of Debian's: are Debian's sources configured?"
    free=$(($(df --output=avail -k "$cache" | tail -n 1) / 1024))
    [[ $free -ge $tree_megabytes ]] ||
      fail 1 "the root of $suite takes $tree_megabytes MB in $cache, which has $free: free some, or set XDG_CACHE_HOME"
    say "making the root of $suite, in $tree: 300 MB to fetch, once"
    rm -rf "$tree" "$partial"
    include=$(IFS=, && echo "${tree_packages[*]}")
    # In a namespace of its own, so that nothing of this machine stays mounted in it.
    if ! unshare --mount debootstrap --variant=minbase --include="$include" \
      "$suite" "$partial" "$mirror" >"$tree.log" 2>&1; then
      tail -n 5 "$tree.log" >&2
      rm -rf "$partial"
      fail 1 "debootstrap could not make the root of $suite of $mirror; the end of what it said stands above, all in $tree.log"
    fi
    rm -rf "$partial"/var/cache/apt/archives/*.deb "$tree.log"
    echo "$key" >"$partial/complete"
    mv "$partial" "$tree"
  fi
  lend_libraries "$@"
  flock --unlock "$lock"
}

# The programs' libraries that this machine has and the tree has not, such as another version of libxml2, which Swift's
# Foundation for Debian 12 wants: copies of this machine's.
lend_libraries() { # PROGRAM...
  local library lent=$tree/usr/local/lib
  while read -r library; do
    [[ -n $(find "$tree"/usr/lib/*-linux-gnu* "$lent" -maxdepth 1 -name "${library##*/}" -print -quit) ]] ||
      cp -L "$library" "$lent/"
  done < <(ldd "$@" | grep -o '/lib/[^ ]*-linux-gnu[^ ]*' | sort -u)
  chroot "$tree" /sbin/ldconfig
}

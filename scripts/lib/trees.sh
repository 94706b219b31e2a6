# shellcheck shell=bash disable=SC2154  # cache: common.sh sets it
# Roots of other Debians, for guests (scripts/guest --root and --arch), made by debootstrap and kept in the cache. Sourced
# after common.sh.

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
  local suite=$1 lock
  shift
  lock_tree "$cache/trees/$suite"
  make_tree "$suite" "$(dpkg --print-architecture)" "${tree_packages[@]}"
  lend_libraries "$@"
  flock --unlock "$lock"
}

# The same for the root of the arm64 guest, which has no library of this machine.
prepare_arm64_tree() {
  local lock
  # shellcheck disable=SC2154  # guest-image.sh sets it
  lock_tree "$arm64_tree"
  make_tree bookworm arm64 "${tree_packages[@]/#libasound2t64/libasound2}"
  flock --unlock "$lock"
}

# Sets `tree` to a folder, and has others who want it wait until `lock` is given back.
lock_tree() { # FOLDER
  [[ $(id -u) -eq 0 ]] || fail 1 "the root of another Debian is made and changed by root: run this as root"
  tree=$1
  mkdir -p "${tree%/*}"
  exec {lock}>"$tree.lock"
  flock "$lock"
}

make_tree() { # SUITE ARCHITECTURE PACKAGE...
  local suite=$1 architecture=$2 partial=$tree.partial mirror free key
  key=$({ printf '%s\n' "$suite" "${@:3}" && declare -f make_tree; } | sha256sum | cut -c1-16)
  [[ ! -e $tree/complete || $(<"$tree/complete") != "$key" ||
    ($suite == sid && -n $(find "$tree/complete" -mtime +30)) ]] || return 0
  command -v debootstrap >/dev/null || fail 1 "debootstrap is missing: run scripts/bootstrap --trees"
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || fail 1 "apt knows no mirror of Debian's: are Debian's sources configured?"
  free=$(($(df --output=avail -k "$cache" | tail -n 1) / 1024))
  [[ $free -ge $tree_megabytes ]] ||
    fail 1 "the root of $suite takes $tree_megabytes MB in $cache, which has $free: free some, or set XDG_CACHE_HOME"
  say "making the root of $suite for $architecture, in $tree: 300 MB to fetch, once"
  rm -rf "$tree" "$partial"
  if ! where_programs_run "$architecture" debootstrap --arch "$architecture" --variant=minbase \
    --include="$(IFS=, && echo "${*:3}")" "$suite" "$partial" "$mirror" >"$tree.log" 2>&1; then
    tail -n 5 "$tree.log" >&2
    rm -rf "$partial"
    fail 1 "debootstrap could not make the root of $suite of $mirror; the end of what it said stands above, all in $tree.log"
  fi
  rm -rf "$partial"/var/cache/apt/archives/*.deb "$tree.log"
  # What guests show of this machine may be in root's home, and tests run it as other users.
  chmod 711 "$partial/root"
  echo "127.0.0.1 localhost" >"$partial/etc/hosts"
  echo "$key" >"$partial/complete"
  mv "$partial" "$tree"
}

# Runs a command where programs of the architecture run, by the emulator if it is not this machine's, and in a namespace of
# its own, so that nothing of this machine stays mounted. The kernel knows the emulator as an interpreter of such programs:
# everywhere, if binfmt-support or systemd has told it; else here alone, if namespaces may have their own (Linux 6.7).
where_programs_run() { # ARCHITECTURE COMMAND...
  local architecture=$1
  shift
  if [[ $architecture == "$(dpkg --print-architecture)" ]] ||
    grep -qs '^enabled' /proc/sys/fs/binfmt_misc/qemu-aarch64; then
    unshare --mount "$@"
    return
  fi
  with_emulator "$@"
}

# The first bytes of programs for arm64, and which of them count, as the kernel wants them.
arm64_magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
arm64_mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'

# In a namespace that has all users and groups of this one, since packages have files of many. No device can be made in it,
# of which debootstrap is told by `container`.
with_emulator() { # COMMAND...
  local ready status=0
  ready=$(mktemp -d)
  mkfifo "$ready/process" "$ready/go"
  map_ids "$ready" &
  # shellcheck disable=SC2016  # the inner shell expands these
  (
    echo "$BASHPID" >"$ready/process"
    container=lxc exec unshare --user --mount --pid --fork --kill-child bash -c '
      read -r <"$0"
      mount --make-rprivate / && mount -t proc proc /proc &&
        mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc &&
        printf "%s" "$1" >/proc/sys/fs/binfmt_misc/register || {
        echo "this kernel has no emulator for programs for arm64, and lets no namespace have one, as Linux 6.7 does:" \
          "install the packages qemu-user-static and binfmt-support" >&2
        exit 1
      }
      shift
      exec "$@"
    ' "$ready/go" ":qemu-aarch64:M::$arm64_magic:$arm64_mask:$(command -v qemu-aarch64-static):F" "$@"
  ) || status=$?
  rm -r "$ready"
  return "$status"
}

# Tells the kernel which users and groups the namespace of a process has, once that has one, and lets it go on.
map_ids() { # FOLDER-OF-PIPES
  local process own
  read -r process <"$1/process"
  own=$(readlink /proc/self/ns/user)
  while [[ $(readlink "/proc/$process/ns/user") == "$own" ]]; do sleep 0.05; done
  awk '{ print $1, $1, $3 }' /proc/self/uid_map >"/proc/$process/uid_map" &&
    awk '{ print $1, $1, $3 }' /proc/self/gid_map >"/proc/$process/gid_map" && echo >"$1/go"
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

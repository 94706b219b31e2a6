# shellcheck shell=bash disable=SC2154  # cache: common.sh sets it
# Builds for arm64 on an amd64 machine, with nothing but Debian's packages. Sourced after common.sh.
#
# Swift's toolchain for this machine has no library for arm64, and takes that of no other version. So the compiler is
# Debian's own, of sid, in a tree that programs enter by chroot; the Swift library for arm64 is of the same packages; all
# other libraries are of Debian 12, so that the programs run there. apt fetches them with folders of its own: the
# machine's packages stay as they are.

cross=$cache/arm64
cross_triple=aarch64-linux-gnu
# What the tree of the compiler has; what programs are linked with.
compiler_packages=(swiftlang bash dash coreutils git ca-certificates pkgconf sed grep tar diffutils findutils g++ libc6-dev
  "binutils-$cross_triple")
sysroot_packages=(libinput-dev libudev-dev libevdev-dev libsystemd-dev libtomlplusplus-dev liblo-dev libmosquitto-dev
  libstdc++-12-dev libc6-dev)
cross_suite=sid
sysroot_suite=bookworm
cross_oldest_swift=6.2
# What it takes while it is made; 3 GB stay.
cross_gigabytes=5

# An apt that knows one suite for one architecture, and no package that is installed.
make_apt() { # FOLDER SUITE ARCHITECTURE
  local folder=$1 said
  mkdir -p "$folder"/etc/apt/{sources.list.d,apt.conf.d,preferences.d} "$folder"/lists/partial "$folder"/debs/partial
  : >"$folder/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg check-valid-until=no] $mirror $2 main" \
    >"$folder/etc/apt/sources.list"
  cat >"$folder/apt.conf" <<CONF
APT::Architecture "$3";
APT::Architectures { "$3"; };
APT::Install-Recommends "false";
APT::Sandbox::User "root";
Acquire::Languages "none";
Dir "$folder";
Dir::State "$folder";
Dir::State::lists "$folder/lists";
Dir::State::status "$folder/status";
Dir::Cache "$folder";
Dir::Cache::archives "$folder/debs";
CONF
  said=$(APT_CONFIG=$folder/apt.conf apt-get update -qq --error-on=any 2>&1) || {
    printf '%s\n' "$said" >&2
    fail 1 "the mirror $mirror has no suite $2 for $3, or can't be reached; what apt said stands above"
  }
}

# The version of swiftlang that an apt knows, without Debian's revision.
swiftlang_version() { # FOLDER
  APT_CONFIG=$1/apt.conf apt-cache show --no-all-versions swiftlang 2>/dev/null | sed -n 's/^Version: \([0-9.]*\).*/\1/p'
}

check_versions() { # COMPILER'S-APT LIBRARY'S-APT
  local compiler library
  compiler=$(swiftlang_version "$1")
  library=$(swiftlang_version "$2")
  [[ -n $compiler && -n $library ]] || fail 1 "the suite $cross_suite of $mirror has no swiftlang"
  [[ $compiler == "$library" ]] ||
    fail 1 "$cross_suite of $mirror has swiftlang $compiler for this machine and $library for arm64, and they must be equal: try again in a day"
  [[ $(printf '%s\n' "$cross_oldest_swift" "$compiler" | sort -V | head -n 1) == "$cross_oldest_swift" ]] ||
    fail 1 "$cross_suite of $mirror has swiftlang $compiler, and touchroute needs $cross_oldest_swift or later"
}

download() { # APT PACKAGE...
  local folder=$1
  shift
  APT_CONFIG=$folder/apt.conf apt-get install -qq --yes --download-only "$@" >"$folder/log" 2>&1 || {
    tail -n 5 "$folder/log" >&2
    fail 1 "apt could not fetch packages from $mirror; what it said stands above"
  }
}

# Puts the files of packages into a folder, without running what they would do at their installation.
unpack_packages() { # FOLDER OPTION-OF-TAR... -- PACKAGE-FILE...
  local folder=$1 options=() file
  shift
  while [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  shift
  for file in "$@"; do
    dpkg-deb --fsys-tarfile "$file" | tar -x -C "$folder" --keep-directory-symlink "${options[@]}" ||
      fail 1 "${file##*/} could not be unpacked into $folder; what tar said stands above"
  done
}

# A folder whose /bin and /lib are those of /usr, as on a Debian of today.
make_root() { # FOLDER
  local name
  for name in bin sbin lib lib64; do
    mkdir -p "$1/usr/$name"
    ln -sfn "usr/$name" "$1/$name"
  done
}

unpack_compiler() { # APT FOLDER
  local documents=(--exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale)
  make_root "$2"
  unpack_packages "$2" "${documents[@]}" '--exclude=*/bin/lldb*' '--exclude=*/bin/clangd' '--exclude=*/bin/docc' \
    '--exclude=*/bin/sourcekit-lsp' '--exclude=*/bin/wasmkit' '--exclude=*/bin/repl_swift' '--exclude=*/liblldb*' \
    '--exclude=*/embedded' '--exclude=*/libsourcekitdInProc*' -- "$1"/debs/*.deb
  mkdir -p "$2"/{proc,dev,sys,tmp,etc/ssl/certs}
  touch "$2/etc/resolv.conf"
}

# The Swift library for arm64. Its packages depend on a whole Debian for arm64, which nobody needs here.
unpack_library() { # APT FOLDER
  local version left_out=('--exclude=*/embedded' '--exclude=*/host' '--exclude=*/pm' '--exclude=*/migrator')
  mkdir -p "$2"
  (cd "$1/debs" && APT_CONFIG=$1/apt.conf apt-get download -qq swiftlang libswiftlang) ||
    fail 1 "apt could not fetch swiftlang for arm64 from $mirror; what it said stands above"
  unpack_packages "$2" --strip-components=5 --wildcards "${left_out[@]}" './usr/libexec/swift/lib/swift/*' \
    './usr/libexec/swift/lib/swift_static*' -- "$1"/debs/swiftlang_*.deb
  unpack_packages "$2" --strip-components=5 --wildcards "${left_out[@]}" './usr/libexec/swift/lib/swift/*' \
    -- "$1"/debs/libswiftlang_*.deb
  # Clang's own headers are the compiler's.
  version=$(basename "$compiler"/usr/libexec/swift/lib/clang/*)
  ln -sfn "/usr/libexec/swift/lib/clang/$version" "$2/swift/clang"
  ln -sfn "/usr/libexec/swift/lib/clang/$version" "$2/swift_static/clang"
}

# What is in the libraries of Debian 12, and what dpkg-shlibdeps has to know of them: it takes the folder for the
# root of a package.
unpack_sysroot() { # APT FOLDER
  local link file part
  make_root "$2"
  unpack_packages "$2" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale -- "$1"/debs/*.deb
  while read -r link; do
    ln -sfn "$(realpath -m --relative-to="${link%/*}" "$2$(readlink "$link")")" "$link"
  done < <(find "$2" -lname '/*')
  mkdir "$2/DEBIAN"
  for file in "$1"/debs/*.deb; do
    for part in symbols shlibs; do
      dpkg-deb --ctrl-tarfile "$file" | tar -xO "./$part" 2>/dev/null >>"$2/DEBIAN/$part" || true
    done
  done
}

# What SwiftPM goes by. The compiler looks for its library in the system's, too.
write_sdk() { # FOLDER
  local bundle=$1/touchroute-arm64.artifactbundle
  ln -sfn ../../../swift/swift "${1%/*}/sysroot/usr/lib/swift"
  ln -sfn ../../../swift/swift_static "${1%/*}/sysroot/usr/lib/swift_static"
  mkdir -p "$bundle/arm64"
  echo '{"schemaVersion": "1.0", "artifacts": {"touchroute-arm64":
    {"type": "swiftSDK", "version": "1", "variants": [{"path": "arm64"}]}}}' >"$bundle/info.json"
  echo '{"schemaVersion": "4.0", "targetTriples": {"aarch64-unknown-linux-gnu": {"sdkRootPath": "../../../sysroot",
    "swiftResourcesPath": "../../../swift/swift", "swiftStaticResourcesPath": "../../../swift/swift_static",
    "toolsetPaths": ["toolset.json"]}}}' >"$bundle/arm64/swift-sdk.json"
  echo '{"schemaVersion": "1.0", "swiftCompiler": {"extraCLIOptions": ["-use-ld=lld"]}}' >"$bundle/arm64/toolset.json"
}

# Programs that debhelper and make run by these names: the tree's, with the tree's libraries.
write_tools() { # FOLDER
  local name
  mkdir -p "$1"
  for name in ar nm objcopy objdump ranlib readelf strip; do
    cat >"$1/$cross_triple-$name" <<SH
#!/bin/sh
exec $cross/compiler/lib64/ld-linux-x86-64.so.2 --library-path $cross/compiler/usr/lib/x86_64-linux-gnu \\
  $cross/compiler/usr/bin/$cross_triple-$name "\$@"
SH
  done
  chmod 755 "$1"/*
}

# What has made what is in the cache.
cross_key() {
  {
    declare -p compiler_packages sysroot_packages cross_suite sysroot_suite
    declare -f make_root unpack_packages unpack_compiler unpack_library unpack_sysroot write_sdk write_tools
    cat "$scripts/lib/glibc-2.36.c"
  } | sha256sum | cut -c1-16
}

cross_is_there() { [[ -e $cross/complete && $(<"$cross/complete") == "$(cross_key)" ]]; }

check_cross_tools() {
  local tool
  [[ $(dpkg --print-architecture 2>/dev/null) == amd64 ]] ||
    fail 1 "packages for arm64 are built on arm64, or on amd64 with Debian's tools"
  for tool in apt-get dpkg-deb flock unshare; do
    command -v "$tool" >/dev/null || fail 1 "$tool is missing: building for arm64 needs a Debian"
  done
  command -v qemu-aarch64-static >/dev/null ||
    fail 1 "qemu-aarch64-static is missing: install the package qemu-user-static (or run scripts/bootstrap --machines)"
}

# Fetches all of it, or what is said is why not. What is there half, or was made otherwise, is made anew.
prepare_cross() { # MIRROR, or nothing for this machine's
  local free mirror=$1 lock partial=$cross.partial compiler=$cross.partial/compiler
  cross_is_there && return
  mkdir -p "$cache"
  exec {lock}>"$cross.lock"
  flock "$lock"
  cross_is_there && return
  rm -rf "$cross" "$partial"
  : "${mirror:=$(debian_mirror)}"
  [[ -n $mirror ]] || fail 1 "apt knows no mirror of Debian's: give one with --mirror URL"
  free=$(df --output=avail -k "$cache" | tail -n 1)
  [[ $free -ge $((cross_gigabytes * 1024 * 1024)) ]] ||
    fail 1 "building for arm64 takes $cross_gigabytes GB in $cache, which has $((free / 1024)) MB: free some, or set XDG_CACHE_HOME"
  say "fetching Debian's Swift, and libraries for arm64, into $cross: 1.3 GB, once"
  (
    trap 'rm -rf "$partial"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    make_apt "$partial/apt-compiler" "$cross_suite" amd64
    make_apt "$partial/apt-library" "$cross_suite" arm64
    make_apt "$partial/apt-sysroot" "$sysroot_suite" arm64
    check_versions "$partial/apt-compiler" "$partial/apt-library"
    download "$partial/apt-sysroot" "${sysroot_packages[@]}"
    unpack_sysroot "$partial/apt-sysroot" "$partial/sysroot"
    download "$partial/apt-compiler" "${compiler_packages[@]}"
    unpack_compiler "$partial/apt-compiler" "$compiler"
    rm -rf "$partial/apt-compiler"
    unpack_library "$partial/apt-library" "$partial/swift"
    rm -rf "$partial"/apt-*
    write_sdk "$partial/sdk"
    write_tools "$partial/bin"
    trap - EXIT
    mv "$partial" "$cross"
    "$scripts/lib/cross-gcc" -O2 -c -o "$cross/glibc.o" "$scripts/lib/glibc-2.36.c" ||
      fail 1 "the compiler in $cross/compiler does not work; what it said stands above"
    cross_key >"$cross/complete"
  )
  flock --unlock "$lock"
}

# Runs a command in the compiler's tree, in this folder, with the files of the checkout and of the cache at their
# places. Root is needed for that, or a kernel that lets users have namespaces.
in_compiler() { # COMMAND...
  local user=() home=${HOME:-/root} checkout=${scripts%/scripts}
  [[ $(id -u) -eq 0 ]] || user=(--map-root-user)
  mkdir -p "$cross/compiler$checkout" "$cross/compiler$cache" "$cross/compiler$home/.cache/org.swift.swiftpm" \
    "$home/.cache/org.swift.swiftpm"
  # shellcheck disable=SC2016  # the inner shells expand these
  unshare "${user[@]}" --mount --propagation private bash -euc '
    tree=$1 checkout=$2 home=$3 cache=$4
    shift 4
    for name in /proc /dev /sys /tmp; do mount --rbind "$name" "$tree$name"; done
    for name in "$checkout" "$cache" "$home/.cache/org.swift.swiftpm" /etc/resolv.conf /etc/ssl/certs; do
      [[ ! -e $name ]] || mount --bind "$name" "$tree$name"
    done
    libraries=$cache/arm64/sysroot/usr
    exec chroot "$tree" /usr/bin/env -i "HOME=$home" LANG=C.UTF-8 PATH=/usr/libexec/swift/bin:/usr/bin:/bin \
      ${SOURCE_DATE_EPOCH:+"SOURCE_DATE_EPOCH=$SOURCE_DATE_EPOCH"} "PKG_CONFIG_SYSROOT_DIR=${libraries%/usr}" \
      "PKG_CONFIG_PATH=$libraries/lib/aarch64-linux-gnu/pkgconfig:$libraries/share/pkgconfig" \
      bash -c "cd \"\$0\" && exec \"\$@\"" "$PWD" "$@"
  ' bash "$cross/compiler" "$checkout" "$home" "$cache" "$@"
}

# Builds with the tree's Swift, into a folder of its own.
cross_build() { # OPTION...
  in_compiler swift build --scratch-path .build/arm64 --swift-sdks-path "$cross/sdk" --swift-sdk touchroute-arm64 \
    -Xlinker "$cross/glibc.o" "$@"
}

# Has the programs and tools of this process be for arm64: CC, AR and pkg-config, and those of binutils.
use_cross_tools() {
  local libraries=$cross/sysroot/usr
  export CC=$scripts/lib/cross-gcc AR=$cross/bin/$cross_triple-ar PATH=$cross/bin:$PATH
  export PKG_CONFIG_SYSROOT_DIR=${libraries%/usr}
  export PKG_CONFIG_PATH=$libraries/lib/$cross_triple/pkgconfig:$libraries/share/pkgconfig
}

# Scripts that run programs for arm64 here, by their names, in a folder.
write_runners() { # PROGRAMS FOLDER
  local name
  mkdir -p "$2"
  for name in touchroute touchrouted; do
    printf '#!/bin/sh\nexec qemu-aarch64-static -L %q %q "$@"\n' "$cross/sysroot" "$PWD/$1/$name" >"$2/$name"
    chmod 755 "$2/$name"
  done
}

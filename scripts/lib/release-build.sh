# shellcheck shell=bash
# Builds what is installed. Sourced after common.sh, in the checkout's folder, by scripts that have set `scripts`.

# Besides -c release, which anyone would give: Swift's runtime within the programs, relocations packed (1.5 MB
# otherwise; only lld can), no symbol for others (0.8 MB), functions that are alike once (0.5 MB), and all symbols
# looked up at the start. A manifest can't say these.
release=(-c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=all
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now)
# The same bytes in any folder: no path of this one, nor a checksum of code, or of the compiler's cache, that has one in it.
here=$(cd "$scripts/.." && pwd -P)
release+=(-Xswiftc -file-prefix-map -Xswiftc "$here=." -Xcc "-ffile-prefix-map=$here=."
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs)
unset here
# Where touchrouted, touchroute and touchroute-inspect are then, unstripped; and where they are to be run from.
programs=.build/release
runners=.build/release
# What builds: swift build, or cross_build for another architecture.
swift_build=(swift build)

# Has all that follows be for an architecture, by Debian's name of it. No name is this machine's.
choose_architecture() { # NAME MIRROR
  [[ -n $1 && $1 != "$(dpkg --print-architecture 2>/dev/null)" ]] || return 0
  [[ $1 == amd64 || $1 == arm64 ]] || fail 64 "there is no architecture $1: touchroute is built for amd64 and arm64"
  [[ $1 == arm64 ]] || fail 1 "for $1 it is built on such a machine alone"
  # shellcheck source-path=SCRIPTDIR source=cross.sh
  source "$scripts/lib/cross.sh"
  check_cross_tools
  prepare_cross "$2"
  use_cross_tools
  swift_build=(cross_build)
  programs=.build/arm64/aarch64-unknown-linux-gnu/release
  runners=.build/arm64/run
  write_runners "$programs" "$runners"
}

# Prints what the compiler says. Needs no root, if the architecture is this machine's.
build_release() {
  build_released touchrouted && build_released touchroute && build_released touchroute-inspect
}

# Builds one more program in the same way.
build_released() { # PRODUCT
  "${swift_build[@]}" "${release[@]}" --product "$1"
}

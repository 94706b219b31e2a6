# shellcheck shell=bash
# Builds what is installed. Sourced, in the checkout's folder.

# Besides -c release, which anyone would give: Swift's runtime within the programs, relocations packed (1.5 MB
# otherwise; only lld can), no symbol for others (0.8 MB), functions that are alike once (0.5 MB), and all symbols
# looked up at the start. A manifest can't say these.
release=(-c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic -Xlinker --icf=all
  -Xlinker -z -Xlinker pack-relative-relocs -Xlinker -z -Xlinker now)
# Where touchrouted, touchroute and touchroute-inspect are then, unstripped.
programs=.build/release

# Prints what the compiler says. Needs no root.
build_release() {
  build_released touchrouted && build_released touchroute && build_released touchroute-inspect
}

# Builds one more program in the same way.
build_released() { # PRODUCT
  swift build "${release[@]}" --product "$1"
}

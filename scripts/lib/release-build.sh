# shellcheck shell=bash
# Builds what is installed. Sourced, in the checkout's folder.

# With the toolchain's own linker, which packs relocations: they are 1.5 MB otherwise.
release=(-c release --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker -z -Xlinker pack-relative-relocs)
# Where touchrouted and touchroute are then, unstripped.
programs=.build/release

# Prints what the compiler says. Needs no root.
build_release() {
  swift build "${release[@]}" --product touchrouted && swift build "${release[@]}" --product touchroute
}

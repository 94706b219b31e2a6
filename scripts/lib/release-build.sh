# shellcheck shell=bash
# Builds what is installed. Sourced, in the checkout's folder.

# The programs, unstripped: touchroute, and touchrouted as a link to it.
programs=.build/programs

# Prints what the compiler says. Needs no root.
build_release() {
  local scratch=.build/release-build bin file product
  file=$scratch/checkouts/swift-argument-parser/Sources/ArgumentParser/Utilities/Foundation.swift
  swift package --scratch-path "$scratch" resolve || return 1
  if ! cmp -s scripts/lib/ArgumentParserFoundation.swift "$file"; then
    [[ -e $file ]] || return 1
    chmod u+w "$file"
    cp scripts/lib/ArgumentParserFoundation.swift "$file"
  fi
  for product in touchrouted touchroute; do
    swift build --scratch-path "$scratch" -c release --static-swift-stdlib --product "$product" || return 1
  done
  bin=$(swift build --scratch-path "$scratch" -c release --show-bin-path) || return 1
  mkdir -p "$programs"
  sort -u "$bin"/touchrouted.product/Objects.LinkFileList "$bin"/touchroute.product/Objects.LinkFileList \
    >"$programs/objects"
  cc -O2 -fPIE -Wall -Wextra -Werror -c -o "$programs/programs.o" scripts/lib/programs.c || return 1
  # Two thirds of all symbols that are looked up at the start are libstdc++'s, for its own use; what
  # Swift's runtime needs of it goes into the file instead, in the place of the names that nobody asks
  # for. A folder that holds nothing but the archive is what makes -lstdc++ mean it, everywhere.
  mkdir -p "$programs/static"
  ln -sfn "$(cc -print-file-name=libstdc++.a)" "$programs/static/libstdc++.a"
  # lld packs the addresses that are relocated at the start, and leaves out more of what nobody uses.
  swiftc -static-stdlib -use-ld=lld -Xlinker --gc-sections -Xlinker -z -Xlinker pack-relative-relocs \
    -o "$programs/touchroute" "@$programs/objects" "$programs/programs.o" \
    -L"$programs/static" -linput -ludev -lsystemd -lstdc++ \
    -Xclang-linker -static-libgcc -Xlinker --no-export-dynamic || return 1
  ln -sfn touchroute "$programs/touchrouted"
}

# shellcheck shell=bash disable=SC2154  # cross: cross.sh sets it
# Builds the tests for arm64 on an amd64 machine, for the arm64 guest. Sourced after cross.sh.
#
# Tests can't be linked with Swift's library statically, as Debian's packages lack a part of it; and what they are linked
# with dynamically wants a newer glibc than Debian 12 has. So the tests, and the programs beside them, have sid's dynamic
# linker and C library, beside Swift's. libinput and others are those of the guest's root.

# Where Swift's library looks for others first.
cross_libraries=$cross/swift/swift/linux
cross_tests_build=.build/arm64-tests/aarch64-unknown-linux-gnu/debug
# Foundation reads XML with libxml2.so.16.
cross_tests_packages=(libc6 libgcc-s1 libstdc++6 libxml2-16)

# Fetches the libraries, once. Call prepare_cross first: where it makes its folder anew, they are gone.
prepare_cross_tests() {
  local lock partial=$cross.tests-partial mirror
  exec {lock}>"$cross.lock"
  flock "$lock"
  if [[ -e $cross/complete-tests && $(<"$cross/complete-tests") == "$(cross_tests_key)" ]]; then
    flock --unlock "$lock"
    return
  fi
  rm -rf "$partial"
  mirror=$(debian_mirror)
  [[ -n $mirror ]] || fail 1 "apt knows no mirror of Debian's: are Debian's sources configured?"
  (
    trap 'rm -rf "$partial"' EXIT
    make_apt "$partial/apt" "$cross_suite" arm64
    download "$partial/apt" "${cross_tests_packages[@]}"
    make_root "$partial/root"
    unpack_packages "$partial/root" --exclude=./usr/share -- "$partial"/apt/debs/*.deb
    cp -a "$partial/root/usr/lib/$cross_triple"/*.so* "$cross_libraries"
    # Debian's package lacks this library. Nothing of it is used, so an empty one does.
    printf '!<arch>\n' >"$cross_libraries/lib_Testing_Foundation.a"
    cross_tests_key >"$cross/complete-tests"
  )
  flock --unlock "$lock"
}

cross_tests_key() {
  { declare -p cross_tests_packages && declare -f prepare_cross_tests; } | sha256sum | cut -c1-16
}

# Builds the test bundle and the programs beside it. Debian's compiler checks itself, and stops at code that others
# compile: an initializer that throws when a part of a value that can't be copied is set.
build_cross_tests() {
  in_compiler swift build --build-tests --scratch-path .build/arm64-tests --swift-sdks-path "$cross/sdk" \
    --swift-sdk touchroute-arm64 -Xswiftc -Xfrontend -Xswiftc -sil-verify-none \
    -Xlinker "--dynamic-linker=$cross_libraries/ld-linux-aarch64.so.1" -Xlinker --disable-new-dtags \
    -Xlinker --allow-shlib-undefined
}

# shellcheck shell=bash disable=SC2154  # cache: common.sh sets it
# The guest's kernel and initramfs, made from Debian's packages and kept in the cache. Sourced after
# common.sh.

# The guest's architecture, by Debian's name of it.
guest_architecture=amd64
# The root of the arm64 guest, which trees.sh makes.
# shellcheck disable=SC2034  # read by those who source this
arm64_tree=$cache/trees/bookworm-arm64

# What the guest loads before its root is there; the rest is for udev and modprobe.
guest_modules=(virtio_pci virtio_console 9pnet_virtio 9p overlay evdev uinput uhid hid_generic hid_multitouch)

# The folder of the cache in which scripts/bootstrap puts the kernel.
guest_kernel_folder() {
  if [[ $guest_architecture == amd64 ]]; then echo "$cache/kernel"; else echo "$cache/kernel-$guest_architecture"; fi
}

# Prints the folder that holds boot/vmlinuz-VERSION and lib/modules/VERSION, then VERSION: the newest
# of Debian's kernels for the guest's architecture that is installed or that scripts/bootstrap put into the cache.
guest_kernel() {
  local root image version
  for root in "" "$(guest_kernel_folder)"; do
    for image in $(printf '%s\n' "$root"/boot/vmlinuz-*-"$guest_architecture" | sort -rV); do
      version=${image##*/vmlinuz-}
      if [[ -r $image && -e $root/lib/modules/$version/modules.dep && -e $root/lib/modules/$version/modules.builtin &&
        -e $root/lib/modules/$version/kernel/drivers/input/misc/uinput.ko ]]; then
        printf '%s\n%s\n' "${root:-/}" "$version"
        return
      fi
    done
  done
  return 1
}

# Makes a file by a command that writes it to its standard output, unless it is there already. Several
# guests may make it at once: each writes its own, and the last one is kept whole.
make_once() { # FILE COMMAND...
  local file=$1 partial
  shift
  if [[ -e $file ]]; then
    touch -c "$file"
    return
  fi
  mkdir -p "${file%/*}"
  partial=$(mktemp "$file.XXXXXX")
  if ! "$@" >"$partial"; then
    rm -f "$partial"
    return 1
  fi
  mv "$partial" "$file"
}

# The kernel as the ELF file within the compressed image. QEMU enters it directly (PVH), which saves
# the emulated machine the decompression: 1.7 s to the first process in place of 4.8 s. Debian's image for arm64 is not
# compressed.
unpack_kernel() { # IMAGE
  local sectors start size unpack
  if [[ $guest_architecture == arm64 ]]; then
    cat "$1"
    return
  fi
  # Where it lies is said in the image's header (Linux's Documentation/arch/x86/boot.rst). Its size when it is unpacked
  # follows, in four bytes.
  sectors=$(image_number "$1" 0x1f1 1)
  start=$(((${sectors/#0/4} + 1) * 512 + $(image_number "$1" 0x248 4)))
  size=$(($(image_number "$1" 0x24c 4) - 4))
  case $(image_number "$1" "$start" 4) in
    $((0x587a37fd))) unpack=xz ;;
    $((0xfd2fb528))) unpack=zstd ;;
    *) say "$1 is compressed otherwise than by xz or zstd" && return 1 ;;
  esac
  # In this order: head would leave before tail has written what follows, which then fails.
  head -c $((start + size)) "$1" | tail -c "$size" | "$unpack" -dc --quiet
}

# A number of an image, little-endian as this machine.
image_number() { # IMAGE OFFSET BYTES
  od -An -t "u$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# The files of the modules and of all they need, in the order of loading; none of those that are in the kernel.
module_files() { # FOLDER-OF-MODULES MODULE...
  local folder=$1
  shift
  awk -v wanted="$*" '
    {
      path = $1; sub(/:$/, "", path)
      name = path; sub(/.*\//, "", name); sub(/\.ko$/, "", name); gsub(/-/, "_", name)
      if (FILENAME ~ /builtin$/) { builtin[name] = 1; next }
      files[name] = path
      for (i = NF; i > 1; i--) needs[name] = needs[name] " " $i
    }
    END {
      count = split(wanted, names, " ")
      for (i = 1; i <= count; i++) {
        if (names[i] in builtin) continue
        if (!(names[i] in files)) exit 1
        total = split(needs[names[i]] " " files[names[i]], order, " ")
        for (j = 1; j <= total; j++) if (!seen[order[j]]++) print order[j]
      }
    }' "$folder/modules.builtin" "$folder/modules.dep"
}

pack_initramfs() { # FOLDER-OF-MODULES INIT BUSYBOX
  local folder=$1 init=$2 stage file files
  files=$(module_files "$folder" "${guest_modules[@]}") ||
    { say "$folder has not all modules that the guest needs: ${guest_modules[*]}" && return 1; }
  stage=$(mktemp -d)
  mkdir -p "$stage/bin" "$stage/modules"
  cp "$3" "$stage/bin/busybox"
  for file in $(busybox --list | grep -vx busybox); do ln -s busybox "$stage/bin/$file"; done
  install -m 755 "$init" "$stage/init"
  for file in $files; do
    cp "$folder/$file" "$stage/modules/"
    echo "${file##*/}" >>"$stage/modules/order"
  done
  (cd "$stage" && find . | cpio -o -H newc -R 0:0 --quiet)
  rm -rf "$stage"
}

# Sets `guest_vmlinux`, `guest_initramfs` and `guest_module_folder`, making the files if they are absent
# or were made from something else.
make_image() { # FOLDER-OF-THE-SCRIPTS BUSYBOX
  local kernel version image init key busybox=$2
  mapfile -t kernel < <(guest_kernel)
  [[ ${#kernel[@]} -eq 2 ]] || return 1
  version=${kernel[1]}
  image=${kernel[0]%/}/boot/vmlinuz-$version
  init=$1/lib/guest-init.sh
  guest_module_folder=${kernel[0]%/}/lib/modules/$version
  key=$(stat -c '%n %s %Y' "$image" | sha256sum | cut -c1-12)
  guest_vmlinux=$cache/guest/vmlinux-$version-$key
  key=$({ stat -c '%n %s %Y' "$image" "$guest_module_folder/modules.dep" "$busybox"
    cat "$init" "$1/lib/guest-image.sh"; } | sha256sum | cut -c1-12)
  guest_initramfs=$cache/guest/initramfs-$version-$key
  make_once "$guest_vmlinux" unpack_kernel "$image" || return 1
  make_once "$guest_initramfs" pack_initramfs "$guest_module_folder" "$init" "$busybox" || return 1
  # Those that no guest has used for two weeks are of older kernels or older scripts.
  find "$cache/guest" -maxdepth 1 -type f -mtime +14 -delete
}

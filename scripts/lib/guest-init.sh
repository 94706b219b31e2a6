#!/bin/busybox sh
# shellcheck shell=dash
# /init of the guest's initramfs: makes the guest's root out of the host's and hands over to the
# session. Its output and the kernel's go to the serial console, which nobody sees but on failure.

export PATH=/bin
mkdir -p /proc /sys /dev /host /machine /over /layered /root
mount -t proc -o nosuid,nodev,noexec proc /proc
mount -t devtmpfs -o mode=755 dev /dev
mount -t sysfs -o nosuid,nodev,noexec sys /sys

die() {
  echo "guest-init: $1" >/dev/console
  reboot -f
}

while read -r module; do
  insmod "/modules/$module" || die "cannot load $module"
done </modules/order

# The host's root, read-only, under a layer of memory: everything may be written to in the guest,
# and nothing of it reaches the host. cache=loose is right for files that nobody changes meanwhile.
#
# Against an initramfs with a Swift test bundle and the libraries it needs, which is 120 MB: that has to
# be packed anew for each build and took 4.5 s to its first process, where this takes about 2 s, and
# the bundle then runs in 0.6 s, here in 0.8. QEMU reads the files with the caller's own rights, so
# this needs no root, and works where the checkout is in a folder that only its owner may enter.
transport=trans=virtio,version=9p2000.L,msize=512000
mount -t 9p -o "$transport,cache=loose,ro,access=any" root /host || die "cannot mount the host's root"
mount -t tmpfs -o mode=755 over /over
mkdir /over/upper /over/work
mount -t overlay -o lowerdir=/host,upperdir=/over/upper,workdir=/over/work root /layered ||
  die "cannot lay the guest's own files over the host's root"
mount --bind /layered /root
machine=/layered
if [ -e /session/shown ]; then
  # The root is another one's: what is of the host's is under a layer of its own.
  mkdir /over/machine-upper /over/machine-work /machine/host /machine/layered
  machine=/machine/layered
  mount -t 9p -o "$transport,cache=loose,ro,access=any" machine /machine/host ||
    die "cannot mount the host's files"
  mount -t overlay -o lowerdir=/machine/host,upperdir=/over/machine-upper,workdir=/over/machine-work machine $machine ||
    die "cannot lay the guest's own files over the host's"
fi

mount --move /proc /root/proc
mount --move /sys /root/sys
mount --move /dev /root/dev
mkdir -p /root/dev/pts /root/dev/shm
mount -t devpts -o mode=620,ptmxmode=666 devpts /root/dev/pts
mount -t tmpfs -o mode=1777,nosuid,nodev shm /root/dev/shm
mount -t tmpfs -o mode=755,nosuid,nodev run /root/run
mount -t tmpfs -o mode=1777,nosuid,nodev tmp /root/tmp
for link in fd:/proc/self/fd stdin:fd/0 stdout:fd/1 stderr:fd/2; do
  ln -s "${link#*:}" "/root/dev/${link%%:*}"
done

# The kernel's modules, for modprobe and udev, where the host keeps them elsewhere.
modules=/lib/modules/$(uname -r)
if [ ! -e "/root$modules/modules.dep" ]; then
  mkdir -p /root/lib/modules
  ln -s "$(cat /session/modules)" "/root$modules"
fi

# What the memory on /tmp and /run now hides, or another one's root has not: the checkout first.
while read -r directory; do
  if [ -e /session/shown ] || [ ! -d "/root$directory" ]; then
    mkdir -p "/root$directory"
    mount --bind "$machine$directory" "/root$directory"
  fi
done <<FOLDERS
$(cat /session/shown 2>/dev/null || cat /session/directory)
FOLDERS

# Shares are writable, and go to the host at once.
while read -r tag directory; do
  mkdir -p "/root$directory"
  mount -t 9p -o "$transport,cache=none,access=any" "$tag" "/root$directory" ||
    die "cannot mount the share $directory"
done </session/shares

ip link set lo up
hostname guest
mkdir /root/run/guest
cp /session/* /root/run/guest/
if [ ! -e /session/systemd ]; then
  exec switch_root /root /bin/bash /run/guest/session.sh
fi

# To systemd the host may be a container, where it leaves mounts to whoever has made that, and gives services no
# credentials; the guest is none.
rm -f /root/.dockerenv /root/run/.containerenv

# systemd, with what every Debian starts and not with what this host starts besides: its file systems
# and services are none of the guest's, and its journal would be copied as a whole to be appended to.
: >/root/etc/fstab
mkdir -p /root/run/systemd/system /root/run/systemd/journald.conf.d
printf '[Journal]\nStorage=volatile\n' >/root/run/systemd/journald.conf.d/guest.conf
# Nor what takes half of its start and nothing here asks for: coldplugging of all devices (the session does
# those for input), kernel file systems, and modules beside those that are loaded.
for unit in timers.target systemd-udev-trigger.service kmod-static-nodes.service modprobe@.service \
  systemd-modules-load.service systemd-sysctl.service systemd-update-utmp.service systemd-binfmt.service \
  proc-sys-fs-binfmt_misc.automount dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount \
  sys-kernel-tracing.mount sys-kernel-config.mount sys-fs-fuse-connections.mount; do
  ln -s /dev/null "/root/run/systemd/system/$unit"
done
# Nor what makes units of this host's files whenever systemd reads its own: a dozen programs each time.
mkdir -p /root/run/systemd/system-generators
for generator in /root/usr/lib/systemd/system-generators/* /root/etc/systemd/system-generators/*; do
  ln -sf /dev/null "/root/run/systemd/system-generators/${generator##*/}"
done
cat >/root/run/systemd/system/guest.target <<'UNIT'
[Unit]
Requires=basic.target guest.service
After=basic.target
AllowIsolate=yes
UNIT
cat >/root/run/systemd/system/guest.service <<'UNIT'
[Unit]
After=basic.target
[Service]
ExecStart=/bin/bash /run/guest/session.sh
StandardError=tty
TTYPath=/dev/console
SendSIGKILL=yes
UNIT
exec switch_root /root /lib/systemd/systemd --unit=guest.target

# shellcheck shell=bash
# Installs touchroute's packages in the guest and runs the tests of its service there: PACKAGES TEST-BUNDLE ARGUMENT...
set -euo pipefail
packages=$1
shift
# Where the tests look for packages.
if [[ $packages != .build/package ]]; then
  mkdir -p .build/package
  mount --bind "$packages" .build/package
fi

# dpkg reads the list of each package's files, of hundreds of packages, whenever it installs one, and then has the
# machine's libraries and manual pages indexed anew. Here that takes half a minute each time, so in the guest it
# knows what is installed, and of no package but ours the files.
mkdir -p /run/dpkg/info
shopt -s extglob
cp -a /var/lib/dpkg/!(info) /run/dpkg
cp /var/lib/dpkg/info/format /run/dpkg/info
(cd /var/lib/dpkg/info && printf '/run/dpkg/info/%s\0' *.list) | xargs -0 touch
mount --bind /run/dpkg /var/lib/dpkg
# Where the host is a container, it may forbid packages to start services.
rm -f /usr/sbin/policy-rc.d
dpkg --install .build/package/{touchrouted,touchroute-tools,touchroute-mqtt,libtouchroute0,libtouchroute-dev}_*[0-9]_"$(dpkg --print-architecture)".deb
# What the service opens at its start is in memory on every machine. Here each file of the host's is asked
# for anew, and what waits for the answers is no start that anybody has: so the guest gets its own ones, as
# it does of whatever is written to, be it a time.
ldd /usr/bin/touchrouted | grep -o '/[^ ]*' | xargs touch -ac /usr/share/libinput/*
exec "$@"

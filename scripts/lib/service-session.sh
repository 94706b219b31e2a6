# shellcheck shell=bash
# Installs touchroute's package in the guest and runs the tests of its service there: TEST-BUNDLE ARGUMENT...
set -euo pipefail

# To index the machine's manual pages anew would take minutes here.
rm -f /var/lib/man-db/auto-update
# Where the host is a container, it may forbid packages to start services.
rm -f /usr/sbin/policy-rc.d
dpkg --install .build/package/*[0-9]_amd64.deb
exec "$@"

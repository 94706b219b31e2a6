# shellcheck shell=bash
# What the scripts share. Sourced, never run.

# What tools print is read: in one language, with a point in numbers, and without complaints of a locale that is not there.
export LC_ALL=C.UTF-8

# Where the guest's kernel and initramfs are kept between runs; anything in it may be deleted.
# shellcheck disable=SC2034  # read by those who source this
cache=${XDG_CACHE_HOME:-$HOME/.cache}/touchroute

# Says on stderr what is the matter, in one sentence after the script's name, and ends the script.
fail() { # STATUS SENTENCE
  printf '%s: %s\n' "${0##*/}" "$2" >&2
  exit "$1"
}

say() { printf '%s: %s\n' "${0##*/}" "$1" >&2; }

# The mirror of Debian's that this machine's apt uses.
debian_mirror() {
  # shellcheck disable=SC2016  # apt expands these
  apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
    awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# install.sh PACKAGE... - installs the Debian packages that are missing, as root or with sudo; silent and without
# network when none is. Several may run at once: one waits for the other, since apt-get update ends with an error where
# another holds apt's locks.
missing() {
    for p in "$@"; do
        dpkg-query -W -f='${db:Status-Status}' "$p" 2> /dev/null | grep -qx installed || echo "$p"
    done
}
# shellcheck disable=SC2046
set -- $(missing "$@")
[ $# -gt 0 ] || exit 0
# The lock is on a folder that every Debian has and that anybody may open. It is not handed on, since a package may
# start a daemon, which would keep it.
exec 9< /var/lib/dpkg && flock 9 || exit 1
# shellcheck disable=SC2046
set -- $(missing "$@")
[ $# -gt 0 ] || exit 0
echo "installing $*"
SUDO=
[ "$(id -u)" -eq 0 ] || SUDO=sudo
$SUDO apt-get update -qq 9<&- &&
    $SUDO env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -qq \
        --no-install-recommends "$@" > /dev/null 9<&-

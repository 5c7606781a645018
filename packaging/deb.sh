#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deb.sh OUT - builds the package of the committed tree in OUT, and checks it by lintian.
set -eu
out=$1
git diff --quiet HEAD -- || echo "deb: changes that are not committed are left out" >&2
rm -rf "$out"
mkdir -p "$out/assay"
git archive HEAD | tar -x -C "$out/assay"
cp -r "$out/assay/packaging/debian" "$out/assay/debian"
# The tree lies in a repository, perhaps with changes, which are not those of the package.
(cd "$out/assay" && SOURCE_COMMIT=$(git rev-parse HEAD) dpkg-buildpackage -us -uc -j"$(nproc)" > ../build.log 2>&1) || {
    tail -n 40 "$out/build.log" >&2
    exit 1
}
# The developers have no address of mail of their own yet.
lintian --allow-root --fail-on error,warning --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog \
    "$out"/assay_*.changes
ls -l "$out"/*.deb

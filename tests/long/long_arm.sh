#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# long_arm.sh ASSAY - the program for aarch64, cross-compiled and run by qemu: the tests of random streams and
# elementary functions pass, and every verdict of the baselines is that of this machine. ARM=no: not run. Needs
# root to install compiler and qemu; the libraries go to a folder of their own, so that the system's packages stay.
set -u
[ "${ARM:-yes}" = no ] && { echo "long_arm: NOT RUN, ARM=no"; exit 77; }
assay=$(realpath "$1")
root=$(realpath "$(dirname "$1")")/aarch64
packages="libgsl-dev libopenblas-serial-dev libsqlite3-dev librandom123-dev liblbfgs-dev zlib1g-dev libxxhash-dev
    nettle-dev libcurl4-gnutls-dev libinih-dev libcmocka-dev libc6"
tools="gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user-static"
sh "$(dirname "$0")/../../harness/make/install.sh" $tools ||
    { echo "FAILED: the compiler cannot be installed"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM

# The libraries: packages of the other architecture, unpacked and not installed.
if [ ! -f "$root/whole" ]; then
    rm -rf "$root"
    mkdir -p "$work/state/lists/partial" "$work/cache/archives/partial" "$root"
    : > "$work/state/status"
    set -- -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$work/state" \
        -o Dir::State::status="$work/state/status" -o Dir::Cache="$work/cache"
    apt-get "$@" update -qq && apt-get "$@" install -y -qq --no-install-recommends --download-only $packages > "$work/log" ||
        { echo "FAILED: the libraries cannot be fetched"; tail -n 3 "$work/log"; exit 1; }
    for deb in "$work"/cache/archives/*.deb; do dpkg -x "$deb" "$root" || exit 1; done
    # The cross compiler has these libraries of its own; the linker scripts here name places of the other machine.
    for name in c m; do rm -f "$root/usr/lib/aarch64-linux-gnu/lib$name.so" "$root/usr/lib/aarch64-linux-gnu/lib$name.a"; done
    touch "$root/whole"
fi
lib=$root/usr/lib/aarch64-linux-gnu include=$root/usr/include/aarch64-linux-gnu
make -s -j"$(nproc)" DEPS=no CC=aarch64-linux-gnu-gcc CFLAGS="-isystem $root/usr/include -isystem $include \
    -isystem $include/openblas-serial -L$lib/openblas-serial -L$lib \
    -Wl,-rpath-link,$lib:$lib/openblas-serial:$root/lib/aarch64-linux-gnu" \
    build/aarch64-linux-gnu-gcc/assay build/aarch64-linux-gnu-gcc/assay-tests || exit 1
on_arm() { qemu-aarch64-static -L "$root" -E LD_LIBRARY_PATH="$lib:$lib/openblas-serial" "$@"; }
for test in test_rng test_rng_lanes test_rng_laws test_vmath; do
    on_arm build/aarch64-linux-gnu-gcc/assay-tests $test > "$work/test.txt" 2>&1 ||
        { echo "FAILED: $test on aarch64"; tail -n 20 "$work/test.txt"; exit 1; }
done
verdicts() { grep -E ' (SUPPORTED|CONTRADICTED|INCONCLUSIVE|SUSPECT|HOLDS|IDENTITY|NOT_RUN) ' | awk '{ print $1, $2 }'; }
build=build/aarch64-linux-gnu-gcc/assay
"$assay" verify --paper baselines --store "$work/here.db" --output "$work/here" -j2 2> /dev/null | verdicts > "$work/here.txt"
on_arm $build verify --paper baselines --store "$work/arm.db" --output "$work/arm" -j2 2> "$work/err" | verdicts > "$work/arm.txt"
[ "$(wc -l < "$work/here.txt")" -gt 15 ] || { echo "FAILED: no verdicts here"; exit 1; }
diff "$work/here.txt" "$work/arm.txt" || { echo "FAILED: other verdicts on aarch64"; tail -n 3 "$work/err"; exit 1; }
echo "long_arm: $(wc -l < "$work/arm.txt") verdicts of the baselines as here; streams and elementary functions pass"

#!/bin/bash
# Builds the User-Mode Linux for `Tests/endurance attack-booted` from Debian's sources of Linux 6.12, once: Debian's own
# package of it is Linux 6.1, where User-Mode Linux and Landlock exclude each other (ARCH_EPHEMERAL_INODES, removed in 6.5).
# Prints the path of the program. Takes about seven minutes of processor time.
#
#   build-kernel.sh [--built]     --built: only prints the path of a kernel that was built, and fails otherwise
#
# Needs what `Tests/install-packages booted` installs.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
source=/usr/src/linux-source-6.12.tar.xz
[ -f $source ] || { echo "build-kernel.sh: cannot find '$source'. Run 'Tests/install-packages booted'." >&2; exit 1; }

# Another configuration or another source is another kernel.
id=$(cat "$here/own-kernel.config" <(stat -Lc '%s %Y' $source) | sha256sum | cut -c 1-16)
program=${XDG_CACHE_HOME:-$HOME/.cache}/intentd-tests/linux-6.12-$id
if [ "${1:-}" = --built ] && [ ! -x "$program" ]; then exit 1; fi
if [ ! -x "$program" ]; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    {
        tar xf $source -C "$work" --strip-components=1
        make -C "$work" ARCH=um defconfig
        (cd "$work" && ARCH=um scripts/kconfig/merge_config.sh -m .config "$here/own-kernel.config")
        make -C "$work" ARCH=um olddefconfig
        grep -q '^CONFIG_SECURITY_LANDLOCK=y' "$work/.config"
        make -C "$work" ARCH=um -j "$(nproc)" linux
    } >"$work.log" 2>&1 || { tail -n 30 "$work.log" >&2; exit 1; }
    rm "$work.log"
    mkdir -p "${program%/*}"
    install -m 755 "$work/linux" "$program"
fi
echo "$program"

#!/bin/bash
# Downloads the newest kernel that a distribution has released, once, from its archive with apt(8), which checks the signatures.
# Prints the folder, for `boot-vm.sh -k`: vmlinuz, and lib/modules without drivers of devices that no virtual machine has.
#
#   fetch-kernel.sh debian-12|debian-13|ubuntu-22.04|ubuntu-24.04|ubuntu-24.04-newest
#
# Needs root, and what `Tests/install-packages kernels` installs.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

debian=(debian-archive-keyring http://deb.debian.org/debian)
ubuntu=(ubuntu-archive-keyring http://archive.ubuntu.com/ubuntu)
# The root with the archive's keys, the archive, its suite, and the package that depends on the newest kernel.
case ${1:-} in
debian-12) from=(debian-12 "${debian[@]}" bookworm linux-image-amd64) ;;
debian-13) from=(debian-13 "${debian[@]}" trixie linux-image-amd64) ;;
ubuntu-22.04) from=(ubuntu-24.04 "${ubuntu[@]}" jammy linux-image-generic) ;;
ubuntu-24.04) from=(ubuntu-24.04 "${ubuntu[@]}" noble linux-image-generic) ;;
ubuntu-24.04-newest) from=(ubuntu-24.04 "${ubuntu[@]}" noble linux-image-generic-hwe-24.04) ;;
*)
    echo "usage: fetch-kernel.sh debian-12|debian-13|ubuntu-22.04|ubuntu-24.04|ubuntu-24.04-newest" >&2
    exit 64
    ;;
esac

kernel=${XDG_CACHE_HOME:-$HOME/.cache}/intentd-tests/kernel-$1
if [ ! -d "$kernel" ]; then
    keys=$("$here/build-root.sh" "${from[0]}")/usr/share/keyrings/${from[1]}.gpg
    work=$(mktemp -d)
    trap 'rm -rf "$work" "$kernel.new"' EXIT
    mkdir -p "$work"/{lists,cache,packages,files} "$kernel.new"
    touch "$work/status"
    for suite in "${from[3]}" "${from[3]}-updates"; do
        echo "deb [arch=amd64 signed-by=$keys] ${from[2]} $suite main"
    done >"$work/sources"
    options=(
        -o APT::Sandbox::User=root -o APT::Architecture=amd64 -o Acquire::Languages=none
        -o Dir::Etc::SourceList="$work/sources" -o Dir::Etc::SourceParts=/dev/null -o Dir::Etc::PreferencesParts=/dev/null
        -o Dir::State::Lists="$work/lists" -o Dir::State::Status="$work/status" -o Dir::Cache="$work/cache"
    )
    fetch() {
        local image package
        apt-get "${options[@]}" update || return
        image=$(apt-cache "${options[@]}" depends "${from[4]}" | grep -oE 'linux-image-[0-9][^ ]*' | head -1)
        # In Ubuntu, the modules have a package of their own.
        for package in "$image" "${image/image/modules}"; do
            [[ $package = linux-modules* && $1 = debian-* ]] && continue
            (cd "$work/packages" && apt-get "${options[@]}" download "$package") || return
        done
        for package in "$work"/packages/*.deb; do dpkg-deb --extract "$package" "$work/files" || return; done
        [ ! -d "$work/files/usr/lib/modules" ] || mv "$work/files/usr/lib/modules" "$work/files/lib/"
    }
    mkdir "$work/files/lib"
    fetch "$1" >"$work/log" 2>&1 || { tail -n 30 "$work/log" >&2; exit 1; }
    modules=$(echo "$work"/files/lib/modules/*)
    for folder in "$modules"/kernel/drivers/*; do
        case ${folder##*/} in
        block | char | net | virtio) ;;
        *) rm -r "$folder" ;;
        esac
    done
    find "$modules/kernel/drivers/net" -mindepth 1 -maxdepth 1 -type d -exec rm -r {} +
    # Programs of an older distribution than the kernel cannot read each compression.
    find "$modules" -name '*.ko.xz' -exec unxz {} +
    find "$modules" -name '*.ko.zst' -exec zstd --quiet --decompress --rm {} +
    busybox depmod -b "$work/files" "${modules##*/}"
    mv "$work/files/lib" "$kernel.new/lib"
    mv "$work"/files/boot/vmlinuz-* "$kernel.new/vmlinuz"
    mv "$kernel.new" "$kernel"
fi
echo "$kernel"

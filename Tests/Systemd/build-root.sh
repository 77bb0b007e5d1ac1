#!/bin/bash
# Makes the root of a distribution's smallest system with systemd and what the packages depend on, once, from its archive.
# Prints the folder, for `boot-systemd.sh -r`. Takes about a minute.
#
#   build-root.sh debian-12|debian-13|ubuntu-24.04
#
# Needs root, and what `Tests/install-packages distributions` installs.
set -euo pipefail

debian=(http://deb.debian.org/debian)
case ${1:-} in
debian-12) from=(bookworm "${debian[@]}") ;;
debian-13) from=(trixie "${debian[@]}") ;;
# An older debootstrap(8) does not know the name, and all of Ubuntu's releases are made alike.
ubuntu-24.04) from=(noble http://archive.ubuntu.com/ubuntu /usr/share/debootstrap/scripts/gutsy) ;;
*)
    echo "usage: build-root.sh debian-12|debian-13|ubuntu-24.04" >&2
    exit 64
    ;;
esac

# What the packages depend on. libmd-dev is for intentd-dev; kmod, curl and openssl are for kernels.sh.
packages=systemd,systemd-sysv,dbus,procps,apparmor,uidmap,libsqlite3-0,libseccomp2,libmd0,libmd-dev,zlib1g,kmod,curl,openssl
# Another list needs another root.
root=${XDG_CACHE_HOME:-$HOME/.cache}/intentd-tests/$1-$(cksum <<<"$packages" | cut -d' ' -f1)
if [ ! -d "$root" ]; then
    mkdir -p "${root%/*}"
    work=$(mktemp -d)
    trap 'rm -rf "$work" "$root.new"' EXIT
    options=(--variant=minbase --merged-usr)
    if [[ $1 = ubuntu-* ]]; then
        # Debian has no package with Ubuntu's keys. The checksum is the one of Ubuntu's signed list of packages.
        keys=ubuntu-keyring_2023.11.28.1_all.deb
        curl --silent --show-error --fail --output "$work/$keys" \
            "http://archive.ubuntu.com/ubuntu/pool/main/u/ubuntu-keyring/$keys"
        echo "36de43b15853ccae0028e9a767613770c704833f82586f28eb262f0311adb8a8  $work/$keys" | sha256sum --check --quiet
        dpkg-deb --extract "$work/$keys" "$work"
        options+=(--keyring="$work/usr/share/keyrings/ubuntu-archive-keyring.gpg" --components=main,universe)
    fi
    debootstrap "${options[@]}" --include=$packages "${from[0]}" "$root.new" "${from[@]:1}" >"$work/log" 2>&1 ||
        { tail -n 30 "$work/log" >&2; exit 1; }
    mv "$root.new" "$root"
fi
echo "$root"

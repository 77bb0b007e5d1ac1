#!/bin/bash
# Inside a kernel with vgem, a driver of DRM without hardware (build-kernel.sh): GPU=yes grants the devices and the requests
# of ioctl(2) that a library of a graphics driver makes.
#
#   graphics.sh PROJECT BUILT [INSTALLED]     INSTALLED: see checks.sh
set -euo pipefail

project=$1
built=$2
# shellcheck source=checks.sh
. "$project/Tests/Systemd/checks.sh"

install_programs "$project" "$built" "${3:-}"
printf '[Limits]\nSpare=0\n' >/etc/intentd/intentd.conf
mkdir -p /etc/intentd/commands.d
# The numbers are those of drm.h. A buffer is created and mapped on the card, because only the card of vgem permits it.
cat >/usr/local/bin/draw <<'PYTHON'
import ctypes, fcntl, mmap, os, struct, sys

node = os.open("/dev/dri/renderD128", os.O_RDWR)
name = ctypes.create_string_buffer(64)
version = bytearray(struct.pack("iiixxxxQQQQQQ", 0, 0, 0, 63, ctypes.addressof(name), 0, 0, 0, 0))
fcntl.ioctl(node, 0xC0406400, version)
card = os.open("/dev/dri/card0", os.O_RDWR)
dumb = bytearray(struct.pack("IIIIIIQ", 64, 64, 32, 0, 0, 0, 0))
fcntl.ioctl(card, 0xC02064B2, dumb)
handle, size = struct.unpack("IIIIIIQ", dumb)[4], struct.unpack("IIIIIIQ", dumb)[6]
place = bytearray(struct.pack("IIQ", handle, 0, 0))
fcntl.ioctl(card, 0xC01064B3, place)
pixels = mmap.mmap(card, size, offset=struct.unpack("IIQ", place)[2])
pixels[0:4] = b"\x01\x02\x03\x04"
device = os.stat("/dev/dri/renderD128").st_rdev
link = os.readlink(f"/sys/dev/char/{os.major(device)}:{os.minor(device)}")
print(name.value.decode(), size, pixels[0:4].hex(), os.path.exists(link + "/dev"))
PYTHON
# grants LINES: writes an app of the program under [Sandbox] LINES.
grants() {
    printf '[Sandbox]\n%b\n[Intent Draw]\nExec=/usr/bin/python3 /usr/local/bin/draw\n' "$1" >/etc/intentd/commands.d/draw.intents
    timeout 100 intentctl reload
}
# draws: prints the output and the errors of a run.
draws() { timeout 200 intentctl run --limit 90s draw/Draw 2>&1 || true; }

systemctl start intentd.socket
# This system has no udev rules for graphics cards.
chmod 666 /dev/dri/*
check "the kernel has a driver of DRM" test -c /dev/dri/renderD128
grants "ReadPaths=/usr/local/bin/draw\nGPU=yes"
output=$(draws)
echo "with GPU=yes: $output"
check "GPU=yes permits requests of DRM, and mapping a buffer of the device" grep -qx "vgem 16384 01020304 True" <<<"$output"
grants "ReadPaths=/usr/local/bin/draw\nDevices=/dev/dri/renderD128 /dev/dri/card0"
output=$(draws)
echo "with Devices=: $output"
check "Devices= alone refuses requests of DRM" grep -q "Inappropriate ioctl for device" <<<"$output"
grants "ReadPaths=/usr/local/bin/draw"
output=$(draws)
echo "without a grant: $output"
check "without a grant, the device does not exist" grep -q "No such file or directory: '/dev/dri/renderD128'" <<<"$output"

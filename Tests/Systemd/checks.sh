# Sourced by the scripts that run inside a booted systemd. A script with a failed check fails, wherever it ends.
failures=0
trap 'code=$?; [ "$failures" = 0 ] || code=1; exit "$code"' EXIT

# check SENTENCE COMMAND...: reports whether the command succeeded, with its output if it failed.
check() {
    local sentence=$1 output
    shift
    if output=$("$@" 2>&1); then
        echo "ok $sentence"
    else
        echo "not ok $sentence: $* ended with $?"
        printf '    %s\n' "${output:-(no output)}"
        failures=$((failures + 1))
    fi
}

# says UNIT EXPRESSION: the unit's journal has a line with the regular expression; otherwise prints the journal's end.
says() {
    local entries
    journalctl --sync
    # journald cannot tell the unit of a process that has exited before the entry is read.
    entries=$(journalctl -o cat -u "$1" && journalctl -o cat -t "${1%.service}")
    grep -qE -- "$2" <<<"$entries" || { tail -n 20 <<<"$entries" && false; }
}

# asks_for_less FOLDER: the intentd with this configuration folder runs apps although few test hosts provide full isolation.
asks_for_less() {
    mkdir -p "$1/intentd.conf.d"
    printf '[Sandbox]\nRequire=reduced\n' >"$1/intentd.conf.d/tests.conf"
}

# provide_libraries BUILT: a debug build links the toolchain's libraries, which services with ProtectHome= may not see.
provide_libraries() {
    ldd "$1/intentd" "$1/intentd-launcher" "$1/intentctl" "$1/Archive" "$1/Probe" |
        awk '$3 ~ "^/" && $3 !~ "^(/usr)?/lib/" { print $3 }' | sort -u | xargs -r cp -L -t /usr/local/lib
    ldconfig
}

# install_programs PROJECT BUILT [INSTALLED]: installs the units and the built programs. With the folder INSTALLED, copies the
# files that 'units/install --destdir INSTALLED' has written: an installation starts intentctl for each manual page, which
# takes half of the time of a test under User-Mode Linux.
install_programs() {
    provide_libraries "$2"
    if [ -n "${3:-}" ]; then
        cp -a "$3/usr/." /usr/
        systemd-sysusers /usr/lib/sysusers.d/intentd*.conf
        systemd-tmpfiles --create /usr/lib/tmpfiles.d/intentd.conf
        systemctl daemon-reload
    else
        "$1/units/install" --from "$2" --no-example >/dev/null
    fi
    asks_for_less /etc/intentd
}

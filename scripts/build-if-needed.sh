# Sourced by the launcher in a checkout, and not part of the package. Installs and builds when needed.

require_node_20_19() {
  us_version=$("$us_node" --version 2>/dev/null) ||
    fail "cannot run $us_node" "install Node.js 20.19 or newer, then run this again"
  us_numbers=${us_version#v}
  us_major=${us_numbers%%.*}
  us_minor=${us_numbers#*.}
  us_minor=${us_minor%%.*}
  if [ "$us_major" -lt 20 ] || { [ "$us_major" -eq 20 ] && [ "$us_minor" -lt 19 ]; }; then
    fail "Node.js $us_version is too old ($us_node)" "install Node.js 20.19 or newer, then run this again"
  fi
}

# The stamp's first line is the node that built it; its time is the time of the build.
us_stamp=$us_root/dist/.stamp
us_known_node=
if [ -r "$us_stamp" ]; then read -r us_known_node <"$us_stamp"; fi
if [ "$us_node" != "$us_known_node" ]; then require_node_20_19; fi

# The same list as in scripts/build-stamp.mjs (a test compares them).
if [ ! -f "$us_stamp" ] || [ ! -f "$us_root/dist/cli.cjs" ] || [ -n "$(
  find "$us_root/src" "$us_root/web" "$us_root/scripts/build.mjs" "$us_root/scripts/bundle.mjs" \
    "$us_root/scripts/bundle-web.mjs" "$us_root/scripts/code-cache.mjs" \
    "$us_root/package.json" "$us_root/package-lock.json" -newer "$us_stamp" -print -quit 2>/dev/null
)" ]; then
  "$us_node" "$us_root/scripts/setup.mjs" </dev/null >&2 || exit $?
fi

#!/bin/sh
# npm ci of a package with one dependency in a directory beside it: no registry is asked.
export npm_config_update_notifier=false npm_config_offline=true npm_config_loglevel=silent
mkdir -p dep && printf '{"name":"dep","version":"1.0.0"}\n' > dep/package.json || exit 1
printf '{"name":"x","version":"1.0.0","dependencies":{"dep":"file:dep"}}\n' > package.json || exit 1
npm install >/dev/null || exit 1
while :; do npm ci >/dev/null || exit 1; done

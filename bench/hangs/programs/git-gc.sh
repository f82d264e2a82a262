#!/bin/sh
# Packs a repository of many similar files again and again.
git init -q repo && cd repo || exit 1
git config user.name t && git config user.email t@example.invalid || exit 1
openssl rand -hex 2000000 > base || exit 1
for i in 1 2 3 4 5 6 7 8; do
  { openssl rand -hex 20000; cat base; } > "file-$i" || exit 1
done
git add . && git commit -q -m x || exit 1
while :; do git gc -q --aggressive --prune=now || exit 1; git repack -q -a -d -F || exit 1; done

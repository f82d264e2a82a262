#!/bin/sh
# sshd in the current directory, in which the user who runs it may log in. serve PORT: sshd itself; login: prints a port, and stays logged
# in there, without a word, as soon as sshd is there.
if [ "$1" = serve ]; then
  mkdir -p /run/sshd && ssh-keygen -q -t ed25519 -N '' -f host && until [ -e user.pub ]; do sleep 0.05; done
  exec /usr/sbin/sshd -D -e -f /dev/null -h "$PWD/host" -p "$2" -o ListenAddress=127.0.0.1 -o StrictModes=no -o UsePAM=no \
    -o AuthorizedKeysFile="$PWD/user.pub" -o PermitRootLogin=yes -o PidFile=none
fi
ssh-keygen -q -t ed25519 -N '' -f user || exit 1
port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])') || exit 1
echo "$port"
until ssh -F /dev/null -i user -p "$port" -o BatchMode=yes -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null \
  127.0.0.1 sleep 1000 2>/dev/null; do sleep 0.2; done

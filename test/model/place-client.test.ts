import { describe, expect, test } from 'vitest';
import { remoteCommandOf } from '../../src/model/place-client.js';

describe('the command that a client runs in another place', () => {
  const rows: [line: string, place: string, command: string][] = [
    ['ssh build make test', 'ssh:build', 'make test'],
    ['/usr/bin/ssh -p 2222 -o BatchMode=yes -l ci build make', 'ssh:ci@build', 'make'],
    ['ssh -tt me@host', 'ssh:me@host', ''],
    ['docker exec -it web sh -c sleep 5 | cat', 'docker:web', 'sh -c sleep 5 | cat'],
    ['docker --context far container exec -e A=b --user 0 web ls -l', 'docker:web', 'ls -l'],
    ['podman exec --interactive -w /app web npm test', 'podman:web', 'npm test'],
    ['podman attach web', 'podman:web', ''],
    ['kubectl exec -i pod-1 -- make', 'kubectl:pod-1', 'make'],
    ['kubectl -n prod exec pod-1 -c app -- sh -c x', 'kubectl:prod/pod-1/app', 'sh -c x'],
    ['kubectl --namespace=prod exec pod-1 -- ls', 'kubectl:prod/pod-1', 'ls'],
  ];
  for (const [line, place, command] of rows)
    test(line, () => expect(remoteCommandOf(line)).toEqual({ place, command }));

  for (const line of [
    'ssh',
    'ssh -N -L 1:2:3 host',
    'ssh -W a:22 jump',
    'docker ps',
    'docker run web',
    'sshd: me',
    'kubectl get pods',
    '',
  ])
    test(`none: ${line}`, () => expect(remoteCommandOf(line)).toBeNull());
});

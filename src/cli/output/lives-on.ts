import { quoteWord } from '../../model/place.js';
import { type RemoteCommand, remoteCommandOf } from '../../model/place-client.js';
import type { Receipt } from '../../model/run/receipt.js';
import { printable } from '../../text/printable.js';

/** Signals do not pass through a client of another place. */
export function livesOnWords(processes: Receipt['processes']): string[] {
  const found = new Map<string, string>();
  for (const { command, result, pid } of processes) {
    const remote = result === 'ended' ? remoteCommandOf(command) : null;
    if (remote !== null && remote.command !== '' && !isOwnSession(remote)) {
      found.set(remote.place, printable(sentence(remote, pid)));
    }
  }
  return [...found.values()];
}

function isOwnSession({ command }: RemoteCommand): boolean {
  return /^(exec )?sh -[cs]\b.*\bdd bs=1 count=/.test(command);
}

function sentence(remote: RemoteCommand, pid: number): string {
  const { place, command } = remote;
  const [kind = ''] = place.split(':');
  return `${kind}(${pid}) was only the client of ${place}: the command there may live on (${command.slice(0, 80)}); to stop it: ${stopThere(remote)}`;
}

function stopThere({ place, command }: RemoteCommand): string {
  const [, kind = '', name = ''] = /^(\w+):(.*)$/.exec(place) ?? [];
  // The brackets keep pkill from finding the shell that runs it.
  const [first = '', ...rest] = command.slice(0, 80);
  const kill = `pkill -f ${quoteWord(`[${first}]${rest.join('')}`)}`;
  if (kind === 'ssh') return `ssh ${name} ${quoteWord(kill)}`;
  if (kind !== 'kubectl') return `${kind} exec ${name} ${kill}`;
  const [space, pod, container] = name.includes('/') ? name.split('/') : [null, name];
  const where = [
    ...(space === null ? [] : ['-n', space]),
    pod,
    ...(container === undefined ? [] : ['-c', container]),
  ];
  return `kubectl exec ${where.join(' ')} -- ${kill}`;
}

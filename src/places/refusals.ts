import { Failure } from '../model/failure.js';
import { type PlaceAddress, quoteWord } from '../model/place.js';
import { cutBeforeRedact, redact } from '../redact/redact.js';
import { plainText } from '../text/plain-text.js';
import { printable } from '../text/printable.js';

interface Subject {
  name: string;
  address: PlaceAddress;
}

const lineMax = 300;
/** Of a longer text nothing more is looked at. */
const textMax = 4096;

/** Words of a place or a client, safe to show and short. */
export function saidThere(text: string): string {
  const shown = printable(redact(plainText(cutBeforeRedact(text, textMax)).trim()));
  return shown.length > lineMax ? `${shown.slice(0, lineMax)}…` : shown;
}

/** What clients say when a place cannot be used, and what helps. The first row that matches counts. */
const rows: readonly { says: RegExp; why: string; hint: string; gone?: true }[] = [
  {
    says: /permission denied \(|too many authentication failures/i,
    why: 'refused the key',
    hint: 'does this work without a password? add the key to your ssh configuration or agent, and try: ssh -o BatchMode=yes HOST true',
  },
  {
    says: /host key verification failed/i,
    why: 'has a host key that is not known',
    hint: 'connect once by hand and compare the key: ssh HOST true',
  },
  {
    says: /could not resolve|name or service not known|temporary failure in name resolution/i,
    why: 'has a name that cannot be resolved',
    hint: 'check the name in your ssh configuration',
  },
  {
    says: /connection refused|connection timed out|no route to host|network is unreachable|connection reset|connection closed/i,
    why: 'does not answer',
    hint: 'is it up, and is the port right?',
  },
  {
    says: /no such container|no container with name or id|(pods|namespaces) "[^"]*" not found|container not found/i,
    why: 'does not exist',
    hint: 'list what exists: docker ps, podman ps or kubectl get pods',
    gone: true,
  },
  {
    says: /is not running|container state improper|can only create exec sessions on running|completed pod|not in running state|container .* is paused/i,
    why: 'is not running',
    hint: 'start it first, then try again',
  },
  {
    says: /("sh"|sh): (executable file )?not found|exec: "sh"|\bsh: no such file/i,
    why: 'has no sh',
    hint: 'commands cannot be started there; its processes can be read from outside if it is a container on this machine: unstuck why PLACE',
  },
  {
    says: /cannot connect to the docker daemon|is the docker daemon running|unable to connect to the server|the connection to the server/i,
    why: 'cannot be reached: its client finds no server',
    hint: 'start the server, or choose another context',
  },
  {
    says: /forbidden|unauthorized|permission denied/i,
    why: 'refused access',
    hint: 'does your user have the right to run commands there?',
  },
];

const endedHint = 'does a start-up file of the shell there end it, such as .bashrc?';

/** The failure for a client that ended before the script began. */
export function refusedBy(place: Subject, status: number | null, complaint: string): Failure {
  const last = saidThere(plainText(complaint).trim().split('\n').at(-1) ?? '');
  const row =
    rows.find(({ says }) => says.test(complaint)) ?? (status === 127 || status === 126 ? rows[6] : undefined);
  const said = last === '' ? `its client ended with ${status ?? 'a signal'}` : last;
  const isEnded = row === undefined && status === 0;
  const why = row?.why ?? (isEnded ? 'ended the connection before anything ran' : 'cannot be used');
  const hint = isEnded ? endedHint : `try: unstuck doctor --on ${quoteWord(place.name)}`;
  return new PlaceRefusal(
    `${place.name} ${why}: ${said}`,
    row?.hint.replace('PLACE', () => quoteWord(place.name)) ?? hint,
    row?.gone === true,
  );
}

/** A place that does not run the script. */
export class PlaceRefusal extends Failure {
  /** It does not exist any more, so waiting for it does not help. */
  readonly isGone: boolean;

  constructor(message: string, hint: string, isGone: boolean) {
    super('no-place', message, hint);
    this.isGone = isGone;
  }
}

/** The failure for a client that cannot be executed. */
export function noClient(place: Subject, program: string, error: NodeJS.ErrnoException): Failure {
  const what = error.code === 'ENOENT' ? 'is not installed' : `cannot be executed (${error.code})`;
  const variable =
    place.address.kind === 'via' ? '' : `, or name another one: UNSTUCK_${place.address.kind.toUpperCase()}`;
  return new Failure(
    'no-place',
    `${place.name} needs the program ${program}, which ${what}`,
    `install it${variable}`,
  );
}

/** The failure for a connection that ended or cannot be understood. */
export function brokenOff(name: string, reason: string): Failure {
  const why = reason === '' ? '' : `: ${saidThere(reason)}`;
  return new Failure('no-place', `the connection to ${name} broke${why}`, 'it is opened again by itself');
}

/** Why a shell there cannot keep runs. */
export function cannotWork(name: string, reason: string): Failure {
  if (reason === 'proc') {
    return new PlaceRefusal(`${name} has no /proc`, 'only Linux hosts and containers can be used', false);
  }
  const why = saidThere(reason.replace(/^home /, ''));
  if (/not found$/.test(why)) {
    return new PlaceRefusal(
      `${name} lacks a program: ${why}`,
      'install it there, or put it into PATH',
      false,
    );
  }
  return new PlaceRefusal(
    `${name} has no directory that can be written to: ${why}`,
    'make HOME or /tmp writable there, or free some disk space',
    false,
  );
}

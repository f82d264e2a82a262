import path from 'node:path';
import { joinFleet } from '../../../control/fleet/join.js';
import { note, printJson } from '../../output/print.js';
import type { JsonFlag } from '../../shared/call.js';
import { fail } from '../../shared/fail.js';
import { readWhole } from '../../shared/read-whole.js';

export interface JoinFlags extends JsonFlag {
  name?: string | undefined;
  fleet: string;
  accept?: string | undefined;
  slots?: string | undefined;
  label?: string[] | undefined;
  queue?: string[] | undefined;
  allowCommand?: string[] | undefined;
  user?: string | undefined;
  passwordFile?: string | undefined;
  creds?: string | undefined;
  nkey?: string | undefined;
  tlsCa?: string | undefined;
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
}

const slotsMax = 1000;

/** `unstuck join`. */
export async function runJoin(url: string, flags: JoinFlags): Promise<void> {
  try {
    const { name, fleet, slots, label, queue, allowCommand } = flags;
    const membership = await joinFleet({
      url,
      name,
      fleet,
      accept: flags.accept?.split(',').filter((word) => word !== ''),
      slots: slots === undefined ? undefined : readWhole('--slots', slots, 0, slotsMax),
      labels: label,
      queues: queue,
      commands: allowCommand,
      login: loginOf(flags),
    });
    const { accept, login: _, id: __, ...shown } = membership;
    if (flags.json) return printJson({ ...shown, accept: accept.kinds });
    note(`joined the fleet ${membership.fleet} at ${membership.url} as ${membership.name}`);
    const may =
      accept.kinds.length === 0 ? 'look at it, nothing else' : `look at it and ${accept.kinds.join(', ')}`;
    note(`other machines may ${may}; jobs at the same time: ${membership.slots}`);
    note('next: unstuck ps --fleet    what runs where');
  } catch (error) {
    fail(error, flags.json === true);
  }
}

function loginOf(flags: JoinFlags) {
  const { user, passwordFile, creds, nkey, tlsCa, tlsCert, tlsKey } = flags;
  return {
    ...(user !== undefined && { user }),
    ...fileOf('passwordFile', passwordFile),
    ...fileOf('creds', creds),
    ...fileOf('nkey', nkey),
    ...fileOf('tlsCa', tlsCa),
    ...fileOf('tlsCert', tlsCert),
    ...fileOf('tlsKey', tlsKey),
  };
}

/** The daemon has another working directory. */
const fileOf = (key: string, file: string | undefined) =>
  file === undefined ? {} : { [key]: path.resolve(file) };

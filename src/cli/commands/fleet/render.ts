import type { FleetHost } from '../../../control/fleet/list.js';
import { printable } from '../../../text/printable.js';

/** One line per host. */
export function hostLines(hosts: readonly FleetHost[]): string[] {
  if (hosts.length === 0) return ['no machine has joined yet: unstuck join nats://SERVER --name NAME'];
  const width = Math.max(...hosts.map(({ name }) => name.length));
  return hosts.map((host) => `${host.name.padEnd(width)}  ${printable(hostWords(host))}`);
}

function hostWords({ runs, jobs, slots, labels, accept, version, away, busy }: FleetHost): string {
  if (away !== undefined) return `away: ${away}`;
  if (busy !== undefined) return `busy: ${busy}`;
  return [
    `${runs} live runs`,
    `jobs ${jobs}/${slots}`,
    labels.length === 0 ? '' : labels.join(' '),
    accept.length === 0 ? 'accepts looking only' : `accepts ${accept.join(', ')}`,
    `Unstuck ${version}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}

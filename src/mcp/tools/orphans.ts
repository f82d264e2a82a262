import * as z from 'zod/mini';
import { findOrphans, killOrphans } from '../../control/orphans/orphans.js';
import { recordOrphan } from '../../control/orphans/record-orphan.js';
import type { Orphan } from '../../model/orphan.js';
import { formatDuration } from '../../text/duration.js';
import { quoted } from '../../text/visible.js';
import type { ToolAnswer } from '../answer.js';
import { tool } from '../tool.js';

const shownMax = 20;
const commandChars = 100;

export const orphans = tool({
  name: 'orphans',
  title: 'Find and stop leftover processes',
  description: `List processes that outlived the run that started them: forgotten dev servers, watchers, test workers, with the ports they hold. Use it when a port is taken or the machine is slow, and before you finish. {} only lists; {"kill": true} stops those proven to come from a run (confirmed). Add "force": true to stop suspected ones too, only when you recognise them.`,
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
  searchHint: 'leftover processes, port already in use, EADDRINUSE, clean up',
  input: z.strictObject({ kill: z.optional(z.boolean()), force: z.optional(z.boolean()) }),
  fields: {
    kill: 'Stop the confirmed orphans',
    force: 'With kill: stop the suspected orphans too',
  },
  handle: async ({ kill, force }, { signal }): Promise<ToolAnswer> => {
    if (kill !== true) return listed(await findOrphans());
    const { results, killed, skipped, failed, tip } = await killOrphans({
      force: force === true,
      signal,
      onEvent: (event) => recordOrphan(event),
    });
    const shown = results.slice(0, shownMax);
    return {
      message: `${killed} stopped, ${skipped} skipped, ${failed} failed.`,
      rows: shown.map((one) => `${line(one)}: ${one.result}${one.because ? `, ${one.because}` : ''}`),
      data: {
        ...{ killed, skipped, failed },
        orphans: shown.map((one) => ({
          ...facts(one),
          result: one.result,
          ...(one.because && { because: one.because }),
        })),
      },
      next: tip ?? 'done',
    };
  },
});

function listed(found: readonly Orphan[]): ToolAnswer {
  const shown = found.slice(0, shownMax);
  const confirmed = found.filter(({ classification }) => classification === 'confirmed').length;
  return {
    message: found.length === 0 ? 'No orphans.' : `${found.length} orphans, ${confirmed} of them confirmed.`,
    rows: shown.map((one) => `${line(one)}: ${one.reason}`),
    data: {
      orphans: shown.map(facts),
      ...(found.length > shown.length && { omitted: found.length - shown.length }),
    },
    next: confirmed > 0 ? 'orphans {"kill": true} stops the confirmed ones' : 'nothing to do',
  };
}

function facts({ pid, command, ageMs, ports, classification, reason, run }: Orphan) {
  return {
    ...{
      pid,
      command: command.slice(0, commandChars),
      ageS: Math.round(ageMs / 1000),
      classification,
      reason,
    },
    ...(ports.length > 0 && { ports }),
    ...(run !== null && { runId: run.id }),
  };
}

function line({ pid, command, ageMs, ports, classification }: Orphan): string {
  const held = ports.length > 0 ? `, port ${ports.join(', ')}` : '';
  return `${pid} ${quoted(command, commandChars)} (${formatDuration(ageMs)}${held}, ${classification})`;
}

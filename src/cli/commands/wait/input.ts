import type { OperationInput } from '../../../control/operations/table.js';
import { Failure } from '../../../model/failure.js';
import { type WakeUp, wakeUps } from '../../../model/run/background.js';
import type { JsonFlag } from '../../shared/call.js';
import { readDuration } from '../../shared/read-duration.js';
import { readWhole } from '../../shared/read-whole.js';

export interface WaitFlags extends JsonFlag {
  any?: true | undefined;
  all?: true | undefined;
  until?: string | undefined;
  match?: string | undefined;
  /** true: any port. */
  port?: string | true | undefined;
  quiet?: string | undefined;
  timeout?: string | undefined;
  reader?: string | undefined;
  plain?: true | undefined;
  raw?: true | undefined;
}

export interface WaitPlan {
  /** Input of the operation, without a time limit. */
  input: OperationInput<'wait'>;
  /** Conditions the user named: one of these ends with exit code 0. */
  asked: ReadonlySet<string>;
  /** Infinity: no limit. */
  timeoutMs: number;
}

/** Default conditions. */
const untilDefault: WakeUp[] = ['exit', 'needs-input', 'stuck'];

const dayMs = 86_400_000;
const timeoutMsMax = 365 * dayMs;

function readUntil(text: string): WakeUp[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name) => {
    const found = wakeUps.find((wakeUp) => wakeUp === name);
    if (found !== undefined) return found;
    throw new Failure(
      'bad-input',
      `--until is ${JSON.stringify(text)}, and ${JSON.stringify(name)} is not one of ${wakeUps.join(', ')}`,
      'write them with commas: --until needs-input,stuck',
    );
  });
}

/** The input of the operation, and which conditions end with exit code 0. */
export function waitPlan(id: string, flags: WaitFlags): WaitPlan {
  const { match, port, quiet, reader } = flags;
  if (flags.any && flags.all) {
    throw new Failure('bad-input', '--any and --all cannot be combined', 'leave out one of them');
  }
  const named: WakeUp[] = [
    ...(flags.until === undefined ? [] : readUntil(flags.until)),
    ...(match === undefined ? [] : ['match' as const]),
    ...(port === undefined ? [] : ['port' as const]),
    ...(quiet === undefined ? [] : ['quiet' as const]),
  ];
  if (named.includes('match') && match === undefined) {
    throw new Failure(
      'bad-input',
      '--until match needs --match',
      `add a text or a pattern: --match 'ready in', or --match '/ready in \\d+/'`,
    );
  }
  const until = new Set<WakeUp>([...(flags.until === undefined ? untilDefault : []), ...named]);
  return {
    input: {
      id,
      until: wakeUps.filter((wakeUp) => until.has(wakeUp)),
      ...(match !== undefined && { match }),
      ...(typeof port === 'string' && { port: readWhole('--port', port, 1, 65_535) }),
      ...(quiet !== undefined && { quietS: readDuration('--quiet', quiet, 50, dayMs) / 1000 }),
      ...(reader !== undefined && { reader }),
      ...(flags.plain && { plain: true }),
    },
    asked: new Set(named),
    timeoutMs:
      flags.timeout === undefined
        ? Number.POSITIVE_INFINITY
        : readDuration('--timeout', flags.timeout, 0, timeoutMsMax),
  };
}

import type { GivenNotice } from '../../../src/control/follow-notices.js';
import type { OperationOutput } from '../../../src/control/operations/table.js';

/** An hour of the day here, wherever here is. */
export const atNoon = new Date(2026, 0, 2, 12, 4, 5);

/** A notice as one consumer is given it. */
export function sampleNotice(parts: Partial<GivenNotice> = {}): GivenNotice {
  return {
    seq: 42,
    at: atNoon.toISOString(),
    kind: 'exit',
    runId: 'run_7c1e90b2d4f8',
    label: 'test',
    task: null,
    owner: null,
    tags: [],
    text: 'ended with exit 1',
    output: '',
    suppressed: 0,
    repeat: false,
    known: false,
    ...parts,
  };
}

/** An answer with these, and nothing more. */
export function sampleAnswer(notices: GivenNotice[], more = 0): OperationOutput<'notices'> {
  return { notices, last: notices.at(-1)?.seq ?? 0, more };
}

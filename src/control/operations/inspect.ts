import * as z from 'zod/mini';
import type { ScreenClaim } from '../../model/run/screen-claim.js';
import { agent, inputKind, outputLost, status, unchecked } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { findRun, ownRun } from './shared/own-run.js';

/** For programs on the same machine. */
export const inspect = operation({
  name: 'inspect',
  summary: 'where the files of a run are, and how far its output goes',
  input: z.strictObject(ownRun),
  output: z.object({
    id: z.string(),
    status,
    directory: z.string(),
    log: z.string(),
    /** Bytes of the header before the first byte of output. */
    logStart: z.number(),
    input: inputKind,
    pid: z.nullable(z.number()),
    outputLost,
    screen: z.optional(unchecked<ScreenClaim>()),
    agent,
  }),
  handle: (which, { registry }) => {
    const run = findRun(registry, which);
    const lost = run.outputLost;
    const { screen } = run.log.clues;
    const { agent: agentFacts } = run.state;
    return {
      id: run.id,
      status: run.status,
      directory: run.directory.path,
      log: run.log.path,
      logStart: run.log.start,
      input: run.record.background.input,
      pid: run.pid,
      ...(lost !== null && { outputLost: lost }),
      ...(screen !== null && run.status === 'running' && { screen }),
      ...(agentFacts !== undefined && { agent: agentFacts }),
    };
  },
});

import * as z from 'zod/mini';
import { agent, inputKind, outputLost, status } from './fields.js';
import { operation } from './operation.js';
import { findRun, ownRun } from './own-run.js';

/** What only a program on the same machine needs: where things are. */
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
    agent,
  }),
  handle: (which, { registry }) => {
    const run = findRun(registry, which);
    const lost = run.outputLost;
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
      ...(agentFacts !== undefined && { agent: agentFacts }),
    };
  },
});

import * as z from 'zod/mini';
import { ambiguous, inputKind, outputLost, status } from './shared/fields.js';
import { operation } from './shared/operation.js';
import { onRun, ownRun } from './shared/own-run.js';
import { agent, screen } from './shared/run-facts.js';

/** For programs on the same machine. */
export const inspect = operation({
  name: 'inspect',
  summary: 'where the files of a run are, and how far its output goes',
  input: z.strictObject(ownRun),
  output: z.object({
    id: z.string(),
    status,
    /** The place that it runs in; absent: this machine. */
    on: z.optional(z.string()),
    directory: z.string(),
    log: z.string(),
    /** Bytes of the header before the first byte of output. */
    logStart: z.number(),
    input: inputKind,
    pid: z.nullable(z.number()),
    outputLost,
    screen,
    agent,
    ambiguous,
  }),
  handle: onRun((run) => {
    const lost = run.outputLost;
    const { screen: shown } = run.log.clues;
    const { agent: agentFacts } = run.state;
    return {
      id: run.id,
      status: run.status,
      ...(run.on !== null && { on: run.on }),
      directory: run.directory.path,
      log: run.log.path,
      logStart: run.log.start,
      input: run.record.background.input,
      pid: run.pid,
      ...(lost !== null && { outputLost: lost }),
      ...(shown !== null && run.status === 'running' && { screen: shown }),
      ...(agentFacts !== undefined && { agent: agentFacts }),
    };
  }),
});

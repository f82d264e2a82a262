import * as z from 'zod/mini';
import { inputKind, runId } from './fields.js';
import { operation } from './operation.js';

/** What only a program on the same machine needs: where things are. */
export const inspect = operation({
  name: 'inspect',
  summary: 'where the files of a run are, and how far its output goes',
  input: z.strictObject({ id: runId }),
  output: z.object({
    id: z.string(),
    directory: z.string(),
    log: z.string(),
    /** Bytes of the header before the first byte of output. */
    logStart: z.number(),
    input: inputKind,
    pid: z.nullable(z.number()),
  }),
  handle: ({ id }, { registry }) => {
    const run = registry.get(id);
    return {
      id: run.id,
      directory: run.directory.path,
      log: run.log.path,
      logStart: run.log.start,
      input: run.record.background.input,
      pid: run.pid,
    };
  },
});

import * as z from 'zod/mini';
import { classifications, orphanEvidence } from '../../model/orphan.js';
import { operation } from './shared/operation.js';

const run = z.object({
  id: z.string(),
  label: z.nullable(z.string()),
  command: z.nullable(z.string()),
  cwd: z.nullable(z.string()),
  owner: z.nullable(z.string()),
  startedAt: z.nullable(z.string()),
});

/** Orphans that the daemon found; `findOrphans` and `unstuck orphans` search anew. */
export const orphans = operation({
  name: 'orphans',
  summary: 'list the orphans that the daemon found at its last check',
  input: z.strictObject({}),
  output: z.object({
    orphans: z.array(
      z.object({
        pid: z.number(),
        startTicks: z.number(),
        /** Secrets masked. */
        command: z.string(),
        cwd: z.nullable(z.string()),
        ageMs: z.number(),
        residentBytes: z.nullable(z.number()),
        ports: z.array(z.number()),
        classification: z.enum(classifications),
        evidence: z.array(z.enum(orphanEvidence)),
        reason: z.string(),
        run: z.nullable(run),
      }),
    ),
    watch: z.object({
      /** false: UNSTUCK_ORPHANS_EVERY=0. */
      watching: z.boolean(),
      lastCheckAt: z.nullable(z.string()),
      detected: z.number(),
      killed: z.number(),
    }),
  }),
  handle: (_, { registry }) => {
    const { found, statistics } = registry.orphans;
    return { orphans: [...found], watch: statistics };
  },
});

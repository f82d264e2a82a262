import * as z from 'zod/mini';
import { exit, health, outputLost, short, status } from './fields.js';
import { operation } from './operation.js';

export const list = operation({
  name: 'list',
  summary: 'list the runs in the background',
  input: z.strictObject({
    task: z.optional(short),
    owner: z.optional(short),
    status: z.optional(status),
  }),
  output: z.object({
    runs: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        /** Secrets masked. */
        command: z.string(),
        status,
        /** null: it was never seen running. */
        pid: z.nullable(z.number()),
        startedAt: z.string(),
        uptimeS: z.number(),
        health,
        /** It waits for an answer: write, submit or attach. */
        needsInput: z.boolean(),
        /** One short sentence: why it is in that state. */
        why: z.string(),
        exit: z.optional(exit),
        outputLost,
        task: z.nullable(z.string()),
        owner: z.nullable(z.string()),
        tags: z.array(z.string()),
        cwd: z.string(),
        /** 100 is one core. */
        cpuPercent: z.number(),
        residentBytes: z.number(),
        outputBytes: z.number(),
        /** Of its output; control sequences removed. */
        lastLine: z.string(),
        /** `142/500`, as far as its output says; null: it does not. */
        progress: z.nullable(z.string()),
      }),
    ),
    /** Directories that look like runs and cannot be read: set aside, never deleted. */
    unreadable: z.array(z.object({ directory: z.string(), reason: z.string() })),
  }),
  handle: (input, { registry }) => ({
    runs: registry.select(input).map((run) => {
      const { label, command, startedAt, cwd, background } = run.record;
      const { task, owner, tags } = background;
      const { id, status: standing, health: seen, why, exit: ended, outputLost: lost } = run.state;
      const { tail } = run.log;
      if (standing === 'running') tail.look();
      // Not `...run.state` first: what follows a spread is added one by one, which takes as long as all the rest.
      return {
        id,
        status: standing,
        health: seen,
        why,
        needsInput: run.trouble === 'needs-input',
        label,
        command,
        pid: run.pid,
        startedAt,
        uptimeS: Math.round(run.elapsedMs / 1000),
        task,
        owner,
        tags,
        cwd,
        cpuPercent: run.sample?.cpuPercent ?? 0,
        residentBytes: run.sample?.residentBytes ?? 0,
        outputBytes: tail.bytes,
        lastLine: tail.lastLine,
        progress: tail.progress?.text ?? null,
        ...(ended !== undefined && { exit: ended }),
        ...(lost !== undefined && { outputLost: lost }),
      };
    }),
    unreadable: registry.setAside.map(({ directory, reason }) => ({ directory, reason })),
  }),
});

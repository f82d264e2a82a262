import * as z from 'zod/mini';
import { restartModes } from '../../model/run/restart-record.js';
import { estimate, exit, health, outputLost, paused, short, status } from './shared/fields.js';
import { operation } from './shared/operation.js';

export const list = operation({
  name: 'list',
  summary: 'list the runs in the background',
  input: z.strictObject({
    task: z.optional(short),
    owner: z.optional(short),
    status: z.optional(status),
    tag: z.optional(short),
  }),
  output: z.object({
    runs: z.array(
      z.object({
        id: z.string(),
        label: z.string(),
        /** Secrets masked. */
        command: z.string(),
        status,
        /** null: never seen running. */
        pid: z.nullable(z.number()),
        startedAt: z.string(),
        uptimeS: z.number(),
        health,
        /** It waits for an answer: use write, submit or attach. */
        paused,
        /** It is started again when it ends; absent: it is not. */
        restart: z.optional(
          z.object({
            on: z.enum(restartModes),
            attempt: z.number(),
            nextAt: z.nullable(z.string()),
            over: z.nullable(z.string()),
          }),
        ),
        needsInput: z.boolean(),
        /** One short sentence: the reason for the health. */
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
        /** The last line of output, without control sequences. */
        lastLine: z.string(),
        /** `142/500`, as reported in its output; null: not reported. */
        progress: z.nullable(z.string()),
        /** How far it has come, by its progress or by earlier runs of the command; absent: not known. */
        estimate,
      }),
    ),
    /** Run directories that cannot be read; they are set aside, never deleted. */
    unreadable: z.array(z.object({ directory: z.string(), reason: z.string() })),
  }),
  handle: (input, { registry }) => ({
    runs: registry.select(input).map((run) => {
      const { label, command, startedAt, cwd, background } = run.record;
      const { task, owner, tags } = background;
      const {
        id,
        status: standing,
        health: seen,
        why,
        exit: ended,
        outputLost: lost,
        paused: isPaused,
      } = run.state;
      const { tail, clues } = run.log;
      const { estimate: far } = run;
      const restart = registry.restarts.stateOf(run);
      if (standing === 'running') tail.catchUp();
      // Not `...run.state` first: properties after a spread are added one by one, which takes as long as everything
      // else.
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
        lastLine: tail.tail.lastLine,
        progress: clues.progress()?.text ?? null,
        ...(far !== null && { estimate: far }),
        ...(ended !== undefined && { exit: ended }),
        ...(lost !== undefined && { outputLost: lost }),
        ...(restart !== undefined && { restart }),
        ...(isPaused === true && { paused: true as const }),
      };
    }),
    unreadable: registry.setAside.map(({ directory, reason }) => ({ directory, reason })),
  }),
});

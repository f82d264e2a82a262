import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { operation } from '../../../src/control/operations/shared/operation.js';
import type { DaemonParts } from '../../../src/daemon/run-daemon.js';
import { Failure } from '../../../src/model/failure.js';
import type { Registry } from '../../../src/registry/registry.js';

/** Operations of a few lines each, one behaviour of the daemon's each; the runs behind them are not wanted here. */

const input = z.strictObject({
  text: z.optional(z.string()),
  count: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(10))),
  either: z.optional(z.union([z.string(), z.array(z.string())])),
  kind: z.optional(z.enum(['one', 'two'])),
});

const anything = z.unknown();

/** Answers with what it got. */
const echo = operation({
  name: 'echo',
  summary: 'say it again',
  input,
  output: z.object({ bytes: z.number(), requestId: z.string(), pid: z.number() }),
  handle: ({ text = '' }, { requestId }) => ({
    bytes: Buffer.byteLength(text),
    requestId,
    pid: process.pid,
  }),
});

/** Ends when the client goes, or the daemon ends. */
const hang = operation({
  name: 'hang',
  summary: 'never answer',
  input,
  output: anything,
  handle: async ({ text = '' }, { signal }) => {
    if (text !== '') fs.writeFileSync(text, 'hangs');
    await delay(600_000, undefined, { signal }).finally(() => {
      if (text !== '') fs.writeFileSync(text, 'aborted');
    });
  },
});

const fail = operation({
  name: 'fail',
  summary: 'fail as expected',
  input,
  output: anything,
  handle: () => {
    throw new Failure('no-such-run', 'no such run: abcd', 'see unstuck list');
  },
});

const crash = operation({
  name: 'crash',
  summary: 'fail as nobody expected',
  input,
  output: anything,
  handle: ({ text, kind }) => {
    if (kind !== 'two') throw new TypeError(`now ${text}`);
    // Where no caller can catch it.
    setTimeout(() => {
      throw new TypeError(`later ${text}`);
    });
    return {};
  },
});

/** Takes the daemon with it in the middle of a request, once if `text` is a file that remembers that. */
const dieOnce = operation({
  name: 'dieOnce',
  summary: 'end the daemon, once',
  input,
  output: anything,
  handle: ({ text = '' }, { requestId }) => {
    if (fs.existsSync(text))
      return { pid: process.pid, first: fs.readFileSync(text, 'utf8'), again: requestId };
    if (text !== '') fs.writeFileSync(text, requestId);
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
});

const wrong = operation({
  name: 'wrong',
  summary: 'answer in another shape than promised',
  input,
  output: z.object({ number: z.number() }),
  handle: () => ({ number: 'secret' as unknown as number }),
});

const large = operation({
  name: 'large',
  summary: 'answer with much',
  input,
  output: anything,
  handle: () => ({ text: 'x'.repeat(8_000_000) }),
});

const live = { runs: 0 };

/** Says how many runs are alive from now on. */
const setLive = operation({
  name: 'setLive',
  summary: 'pretend',
  input,
  output: anything,
  handle: ({ count = 0 }) => {
    live.runs = count;
    return {};
  },
});

const operations = { echo, hang, fail, crash, dieOnce, wrong, large, setLive };

const registry = {
  get live() {
    return live.runs;
  },
  get isBusy() {
    return live.runs > 0;
  },
  close() {},
} as unknown as Registry;

export const parts: DaemonParts = { operations, openRegistry: async () => registry };

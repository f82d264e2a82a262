import { describe, expect, it } from 'vitest';
import type { NoticesFlags } from '../../../../src/cli/commands/notices/flags.js';
import { follow, retrying } from '../../../../src/cli/commands/notices/follow.js';
import { notices, noticesCommand } from '../../../../src/cli/commands/notices/notices.js';
import { renderNotice } from '../../../../src/cli/commands/notices/render.js';
import type { NoticesWriter } from '../../../../src/cli/commands/notices/writer.js';
import type { GivenNotice } from '../../../../src/control/follow-notices.js';
import { Failure } from '../../../../src/model/failure.js';
import { fakeCall, printed } from '../fake-call.js';
import { atNoon, sampleAnswer, sampleNotice } from '../sample-notices.js';

const view = { columns: Number.POSITIVE_INFINITY, color: false, nowMs: atNoon.getTime() };
const render = (parts: Partial<GivenNotice> = {}, other: Partial<typeof view> = {}) =>
  renderNotice(sampleNotice(parts), { ...view, ...other });

/** Remembers what was printed and how often it rang; breaks when told to. */
function fakeWriter(brokenAt = Number.POSITIVE_INFINITY) {
  const said: string[] = [];
  const counts = { rings: 0, writes: 0 };
  const writer: NoticesWriter = {
    lines: async (lines) => {
      counts.writes += 1;
      if (counts.writes >= brokenAt) throw Object.assign(new Error('broken'), { code: 'EPIPE' });
      said.push(...lines);
    },
    ring: () => {
      counts.rings += 1;
    },
  };
  return { writer, said, counts };
}

describe('a notice for a person', () => {
  it('prints time, kind, run and output of a notice', () => {
    const lines = render({ output: '140 passed\n\n\x1b[31m2 failed\x1b[0m\tsee\n' });
    expect(lines).toEqual([
      '12:04:05  #42  exit           test (7c1e): ended with exit 1',
      '    140 passed',
      '',
      '    2 failed  see',
    ]);
  });

  it('prints how many matches were only counted', () => {
    const match = { kind: 'match', text: 'printed a line with oops', output: 'oops' } as const;
    expect(render({ ...match, suppressed: 41, matches: 42 })).toEqual([
      '12:04:05  #42  match          test (7c1e): printed a line with oops',
      '    oops',
      '    and 41 more matches',
    ]);
    expect(render({ ...match, suppressed: 2, matches: 2 }).at(-1)).toBe('    and 1 more match');
    expect(render({ ...match, suppressed: 1, matches: 1 }).at(-1)).toBe('    oops');
  });

  it('of 58 matches 20 are shown and 38 are more, whether they were held back or not', () => {
    const output = Array.from({ length: 20 }, (_, index) => `oops ${index}`).join('\n');
    for (const suppressed of [0, 57, 58]) {
      const lines = render({ kind: 'match', text: '58 lines match', output, suppressed, matches: 58 });
      expect([lines.length, lines.at(-1)]).toEqual([22, '    and 38 more matches']);
    }
  });

  it('the end shows what was printed last, which are no matches to count', () => {
    expect(render({ output: 'bye\n', suppressed: 5 })).toHaveLength(2);
  });

  it('the breaker is about all runs, and counts notices', () => {
    const over = { kind: 'overflow-over', runId: null, label: null, text: 'notices are told again' } as const;
    expect(render({ ...over, suppressed: 12 })).toEqual([
      '12:04:05  #42  overflow-over  all runs: notices are told again',
      '    and 12 more notices',
    ]);
  });

  it('a repeat and what is known are marked', () => {
    expect(render({ repeat: true })[0]).toMatch(/exit 1 \[again\]$/);
    expect(render({ known: true })[0]).toMatch(/exit 1 \[known\]$/);
    expect(render({ known: true, repeat: true })[0]).toMatch(/exit 1 \[again, known\]$/);
  });

  it('colour: red for a bad end, all dim when known', () => {
    const bad = { code: 1, signal: null, provenance: 'recorded' } as const;
    expect(render({ exit: bad }, { color: true })[0]).toContain('\x1b[31mexit\x1b[39m');
    expect(render({ exit: { ...bad, code: 0 } }, { color: true })[0]).toContain('\x1b[32mexit\x1b[39m');
    const known = render({ exit: bad, known: true, output: 'x' }, { color: true });
    for (const line of known) expect(line).toMatch(/^\x1b\[2m[^\x1b]*\x1b\[22m$/);
    expect(known).toHaveLength(2);
  });

  it('another day is named, and nothing from outside reaches the terminal as it is', () => {
    const lines = render(
      { label: 'a\x1b[2J', text: 'b\x07', output: 'c\x1b]0;title\x07\u202e' },
      { nowMs: atNoon.getTime() + 86_400_000 },
    );
    expect(lines[0]).toBe('2026-01-02 12:04:05  #42  exit           a\\x1b[2J (7c1e): b\\x07');
    expect(lines.join('')).not.toMatch(/[\x00-\x1f\u202e]/);
  });

  it('bounded: 20 lines, and no wider than the terminal', () => {
    const output = Array.from({ length: 30 }, (_, i) => `${i} ${'x'.repeat(100)}`).join('\n');
    const lines = render({ output }, { columns: 30 });
    expect(lines).toHaveLength(21);
    expect(lines[1]).toBe(`    10 ${'x'.repeat(22)}…`);
  });
});

describe('unstuck notices', () => {
  const two = () => sampleAnswer([sampleNotice({ seq: 41 }), sampleNotice({ seq: 42, repeat: true })], 3);

  it('without --ack nothing is acknowledged, and the output shows how to do it', async () => {
    const { call, asked } = fakeCall({ notices: two() });
    const { writer, said } = fakeWriter();
    const { stderr } = await printed(() => notices(call, { limit: '2', consumer: 'me' }, writer));
    expect(said).toHaveLength(2);
    expect(stderr).toBe(
      'and 3 newer notices\nto acknowledge them: unstuck notices --consumer me --ack-to 42\n',
    );
    expect(asked).toEqual([['notices', { consumer: 'me', limit: 2 }]]);
  });

  it('a partial list does not suggest to acknowledge everything', async () => {
    const { call, asked } = fakeCall({ notices: sampleAnswer([sampleNotice()]) });
    const { stderr } = await printed(() => notices(call, { task: 't', owner: 'o' }, fakeWriter().writer));
    expect(stderr).toBe('');
    expect(asked).toEqual([['notices', { task: 't', owner: 'o' }]]);
  });

  it('--ack acknowledges the last notice that was printed', async () => {
    const { call, asked } = fakeCall({ notices: [two(), sampleAnswer([])] });
    const { writer, said } = fakeWriter();
    const { stderr } = await printed(() => notices(call, { ack: true }, writer));
    expect(said).toHaveLength(2);
    expect(stderr).toBe('and 3 newer notices\n');
    expect(asked).toEqual([
      ['notices', {}],
      ['notices', { ack: 42, limit: 0 }],
    ]);
  });

  it.each<[string, NoticesFlags]>([
    ['for people', { ack: true }],
    ['for programs', { ack: true, json: true }],
  ])('what could not be printed is not acknowledged: %s', async (_, flags) => {
    const { call, asked } = fakeCall({ notices: [two()] });
    await expect(notices(call, flags, fakeWriter(1).writer)).rejects.toThrow('broken');
    expect(asked).toHaveLength(1);
  });

  it('--json is the output of the operation', async () => {
    const { call } = fakeCall({ notices: two() });
    const { writer, said } = fakeWriter();
    const { stderr } = await printed(() => notices(call, { json: true }, writer));
    expect(said.map((line) => JSON.parse(line))).toEqual([{ version: 1, ...two() }]);
    expect(stderr).toBe('');
  });

  it('without notices, prints that there are none and what to type', async () => {
    const { call, asked } = fakeCall({ notices: sampleAnswer([]) });
    const { writer, said } = fakeWriter();
    const bare = await printed(() => notices(call, { ack: true }, writer));
    expect(bare.stderr).toBe(
      'no notices; request them when you start a run: unstuck start --notify -- npm test\n',
    );
    expect(said).toEqual([]);
    expect(asked).toHaveLength(1);
    const filtered = await printed(() => notices(call, { task: 'x' }, writer));
    expect(filtered.stderr).toBe('no notices with task x; list all: unstuck notices\n');
  });

  it('--bell rings for what is new only', async () => {
    const { writer, counts } = fakeWriter();
    const { call } = fakeCall({ notices: [sampleAnswer([sampleNotice({ repeat: true })]), two()] });
    await printed(() => notices(call, { bell: true }, writer));
    expect(counts.rings).toBe(0);
    await printed(() => notices(call, { bell: true }, writer));
    expect(counts.rings).toBe(1);
  });

  it('--ack-to acknowledges and prints nothing', async () => {
    const { call, asked } = fakeCall({ notices: { ...sampleAnswer([], 2), last: 41 } });
    const { stdout, stderr } = await printed(() => noticesCommand(call, { ackTo: '42' }));
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: 'acknowledged up to #41; 2 more: unstuck notices\n',
    });
    expect(asked).toEqual([['notices', { ack: 42, limit: 0 }]]);
  });

  it.each<[NoticesFlags, RegExp]>([
    [{ ackTo: '1', ack: true }, /--ack-to prints nothing and cannot be combined with --ack$/],
    [{ ackTo: '1', follow: true }, /--ack-to prints nothing and cannot be combined with --follow/],
    [{ follow: true, limit: '5' }, /--follow prints all notices and cannot be combined with --limit/],
    [{ ack: true, task: 't' }, /needs a consumer name/],
    [{ ackTo: '1', owner: 'o' }, /needs a consumer name/],
    [{ ackTo: 'x' }, /--ack-to is "x", which is not a whole number from 1/],
    [{ ackTo: '0' }, /--ack-to is "0"/],
    [{ limit: '1001' }, /--limit is "1001", which is not a whole number from 1 to 1000/],
  ])('%j is refused', async (flags, message) => {
    const { call, asked } = fakeCall({});
    await expect(noticesCommand(call, flags)).rejects.toThrow(message);
    expect(asked).toEqual([]);
  });
});

describe('unstuck notices --follow', () => {
  const away = new Failure('no-daemon', 'the daemon does not start', 'see why');
  const one = (seq: number) => sampleAnswer([sampleNotice({ seq })]);
  /** Ends the following like Ctrl-C would, when the answers are used up. */
  const stopAtEnd = (answers: unknown[]) => {
    const stop = new AbortController();
    const { call, asked } = fakeCall({ notices: answers });
    const ask: typeof call = (name, input, options) => {
      if (answers.length > 0) return call(name, input, options);
      stop.abort();
      return Promise.reject(stop.signal.reason);
    };
    return { ask: retrying(ask, stop.signal, 1), asked, signal: stop.signal };
  };

  it('acknowledges each notice after it was printed, one per line with --json', async () => {
    const none = sampleAnswer([]);
    const { ask, asked, signal } = stopAtEnd([one(1), none, none, one(2), none]);
    const { writer, said, counts } = fakeWriter();
    await follow(ask, { ack: true, json: true, bell: true, consumer: 'c' }, writer, signal);
    expect(said.map((line) => JSON.parse(line).seq)).toEqual([1, 2]);
    expect(counts.rings).toBe(2);
    const fetch = (after: number) => ['notices', { consumer: 'c', after, timeoutS: 180 }];
    const ack = (seq: number) => ['notices', { consumer: 'c', ack: seq, limit: 0 }];
    expect(asked).toEqual([fetch(0), ack(1), fetch(1), fetch(1), ack(2)]);
  });

  it('a reader that goes: what it did not get is not acknowledged', async () => {
    const { ask, asked, signal } = stopAtEnd([
      sampleAnswer([sampleNotice({ seq: 1 }), sampleNotice({ seq: 2 })]),
      sampleAnswer([]),
    ]);
    await expect(follow(ask, { ack: true }, fakeWriter(2).writer, signal)).rejects.toMatchObject({
      code: 'EPIPE',
    });
    expect(asked.map(([, input]) => (input as { ack?: number }).ack)).toEqual([undefined, 1]);
  });

  it('waits for a daemon that is away for a while, and reports it once', async () => {
    const { ask, signal } = stopAtEnd([one(1), sampleAnswer([]), away, away, one(2), sampleAnswer([])]);
    const { writer, said } = fakeWriter();
    const { stderr } = await printed(() => follow(ask, { ack: true }, writer, signal));
    expect(said.map((line) => /#\d+/.exec(line)?.[0])).toEqual(['#1', '#2']);
    expect(stderr).toBe('the daemon does not start; trying again\n');
  });

  it('a daemon that never was there is trouble', async () => {
    const { ask, signal } = stopAtEnd([away, one(1)]);
    await expect(follow(ask, {}, fakeWriter().writer, signal)).rejects.toBe(away);
  });
});

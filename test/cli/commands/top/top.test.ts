import { fc } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { topLines } from '../../../../src/cli/commands/top/render.js';
import { freshTop, press, type Top } from '../../../../src/cli/commands/top/state.js';
import type { TopView } from '../../../../src/cli/commands/top/view.js';
import { displayWidth, wrapToWidth } from '../../../../src/cli/output/display-width.js';
import { failedRun, sampleRun, stuckRun } from '../sample-runs.js';

const asking = sampleRun({
  ...{ id: 'run_aaaa00000001', label: 'login', needsInput: true, input: 'pty' as const },
  ...{ why: 'sh waits for a person to type', lastLine: 'Password:' },
});
const runs = [stuckRun, asking, sampleRun(), failedRun];
const nowMs = Date.parse('2026-01-02T03:06:12.000Z');
const view = (more: Partial<TopView> = {}): TopView => ({
  ...{ columns: 80, rows: 24, color: false, nowMs, all: runs, runs, trouble: '' },
  ...more,
});

/** Presses keys a second apart; the acts they asked for. */
function type(keys: readonly string[], from: Top = freshTop) {
  let top = from;
  const acts = keys.flatMap((key, index) => {
    const pressed = press(top, key, { runs, rows: 10, nowMs: index * 1000 });
    top = pressed.top;
    return pressed.act === null ? [] : [pressed.act];
  });
  return { top, acts };
}

describe('the keys of unstuck top', () => {
  it('a stop asks first, and only y confirms it', () => {
    expect(type(['x', 'y']).acts).toEqual([{ kind: 'stop', id: stuckRun.id }]);
    for (const key of ['n', 'return', 'escape', ' ', 'x', 'q']) {
      const { top, acts } = type(['x', key]);
      expect({ acts, message: top.message }).toEqual({ acts: [], message: 'nothing was done' });
    }
  });

  it('a question names its run, also when the table has moved below it', () => {
    const { top } = type(['x']);
    const moved = press(top, 'y', { runs: [failedRun, asking], rows: 10, nowMs: 9000 });
    expect(moved.act).toEqual({ kind: 'stop', id: stuckRun.id });
    expect(topLines(top, view()).at(-1)).toBe('Stop release (b20f) and everything it started? [y/N]');
  });

  it('pasted text stops nothing: neither marked by the terminal nor typed faster than a person', () => {
    let top = freshTop;
    const acts = [...'xy'].map((key, index) => {
      const pressed = press(top, key, { runs, rows: 10, nowMs: index });
      top = pressed.top;
      return pressed.act;
    });
    expect(acts).toEqual([null, null]);
    expect(press(freshTop, 'x', { runs, rows: 10, nowMs, isPasted: true }).top).toEqual(freshTop);
  });

  it('why, log, answer, run again and find', () => {
    expect(type(['return']).acts).toEqual([{ kind: 'why', id: stuckRun.id }]);
    expect(type(['j', 'j', 'l']).acts).toEqual([{ kind: 'log', id: 'run_7c1e90b2d4f8', from: null }]);
    expect(type(['G', 'r', 'y']).acts).toEqual([{ kind: 'again', id: failedRun.id }]);
    expect(type(['j', 'a', 's', 'backspace', 'p', 'w', 'return']).acts).toEqual([
      { kind: 'answer', id: asking.id, text: 'pw' },
    ]);
    expect(type(['/', 'q', 'return']).top).toMatchObject({ find: 'q', mode: { kind: 'table' } });
    expect(type(['a']).top.message).toBe('release takes no input: it was started without --stdin or --pty');
    expect(type(['q']).acts).toEqual([{ kind: 'quit' }]);
  });

  it('what is typed for a password is not shown', () => {
    const { top } = type(['j', 'a', 'p', 'w']);
    expect(topLines(top, view()).at(-1)).toBe('answer for login: **_');
  });

  it('whatever is pressed, nothing is stopped or started without a question and y', () => {
    const keys = fc.constantFrom(
      ...'xyrqaljkgG/?nw ',
      'return',
      'escape',
      'up',
      'down',
      'ctrl-u',
      'pagedown',
    );
    const presses = fc.array(fc.tuple(keys, fc.nat(400), fc.boolean()), { maxLength: 40 });
    fc.assert(
      fc.property(presses, (list) => {
        let [top, atMs] = [freshTop, 0];
        for (const [key, laterMs, isPasted] of list) {
          atMs += laterMs;
          const before = top.mode;
          const { act, top: next } = press(top, key, { runs, rows: 5, nowMs: atMs, isPasted });
          if (act?.kind === 'stop' || act?.kind === 'again') {
            expect(before).toMatchObject({ kind: 'confirm', id: act.id, what: act.kind });
            expect([key, isPasted]).toEqual(['y', false]);
          }
          top = next;
        }
      }),
    );
  });
});

describe('the screen of unstuck top', () => {
  it('trouble first, the chosen run in full, and the keys', () => {
    expect(topLines(freshTop, view({ rows: 12 }))).toEqual([
      'unstuck top: 4 runs, 2 in trouble, 3 running, 1 ended',
      '  ID    LABEL    HEALTH                CPU  MEMORY  TIME      LAST LINE',
      '> b20f  release  confirmed-stuck: gi…   0%   31 MB  00:06:12  Username for http…',
      '  aaaa  login    needs input: sh wai…  12%   84 MB  00:02:07  Password:',
      '  7c1e  api      healthy: it prints    12%   84 MB  00:02:07  GET /health 200 3…',
      '  04d9  test     exit 1                             00:02:40  2 failed, 140 pas…',
      '',
      'release (run_b20f11ca9e03): npm run dev',
      'git waits for a person to type; the same in 3 samples in a row',
      'last line: Username for https://example.org:',
      '',
      'q quit  Enter why  l log  x stop  a answer  r run again  / find  ? keys',
    ]);
  });

  it('fits every terminal, in every mode, whatever was printed', () => {
    const wild = sampleRun({
      ...{ label: 'ビルド\u001b[2J'.repeat(9), lastLine: '進捗 50% 🚀 '.repeat(20), why: 'x'.repeat(300) },
      ...{ command: 'y\n'.repeat(200), recommendation: 'stop it '.repeat(30) },
    });
    const page = {
      ...{ id: wild.id, status: 'running' as const, lines: [wild.lastLine, 'a\u001b]0;t\u0007'] },
      ...{ offset: 0, totalLines: 2, droppedLines: 0 },
    };
    const modes: Top['mode'][] = [
      { kind: 'table' },
      { kind: 'keys' },
      { kind: 'confirm', what: 'stop', id: wild.id, sinceMs: 0 },
      { kind: 'answer', id: wild.id, text: 'z'.repeat(300), isSecret: false },
      { kind: 'log', id: wild.id, page, from: null },
      { kind: 'why', id: wild.id, lines: ['q'.repeat(300)], top: 0 },
    ];
    for (const mode of modes) {
      for (const columns of [20, 40, 80, 200]) {
        for (const rows of [5, 14, 24, 60]) {
          const all = [wild, ...runs];
          const lines = topLines({ ...freshTop, mode }, view({ columns, rows, all, runs: all }));
          expect(lines.length).toBe(rows);
          for (const line of lines) {
            expect(displayWidth(line), `${mode.kind} ${columns}`).toBeLessThanOrEqual(columns);
            expect(line).not.toMatch(/[\x00-\x1f]/);
          }
        }
      }
    }
  });

  it('of 1,000 runs those around the chosen one are shown', () => {
    const many = Array.from({ length: 1000 }, (_, n) =>
      sampleRun({ id: `run_${n.toString(16).padStart(12, 'a')}`, label: `n${n}` }),
    );
    const chosen = many[500]?.id ?? '';
    const lines = topLines({ ...freshTop, chosen }, view({ all: many, runs: many }));
    expect(lines.find((line) => line.startsWith('>'))).toContain(' n500 ');
    expect(lines).toHaveLength(24);
  });

  it('an empty list says what to type, a daemon that is away is named', () => {
    expect(topLines(freshTop, view({ all: [], runs: [] }))[1]).toMatch(/^no background runs; start one/);
    expect(topLines(freshTop, view({ trouble: 'the daemon has ended' }))[0]).toBe('the daemon has ended');
  });
});

it('a text is wrapped at spaces, and keeps every character', () => {
  expect(wrapToWidth('  one two three', 9)).toEqual(['  one two', '  three']);
  expect(wrapToWidth('日本語', 4)).toEqual(['日本', '語']);
  fc.assert(
    fc.property(fc.string(), fc.integer({ min: 2, max: 30 }), (text, columns) => {
      const lines = wrapToWidth(text, columns);
      expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
    }),
  );
});

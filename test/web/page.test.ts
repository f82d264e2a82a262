import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../src/model/run/run.js';
import { stretchesOf } from '../../web/ansi.js';
import { pictureOf } from '../../web/run/graph-layout.js';
import { bandOf } from '../../web/run/health-band.js';
import { inOrder, lookOf } from '../../web/words.js';
import { failedRun, sampleRun, stuckRun } from '../cli/commands/sample-runs.js';

const sequence = fc.constantFrom(
  '\u001b[31m',
  '\u001b[',
  '\u001b]0;x',
  '\u0007',
  '\r',
  '\u202e',
  '\u001b[38;5;9m',
  '\u001b[38;2;1',
);

describe('a line of output on the page', () => {
  test.prop([fc.array(fc.oneof(sequence, fc.string()), { maxLength: 20 })])(
    'has no control or bidirectional character, whatever was printed',
    (parts) => {
      const text = stretchesOf(parts.join(''))
        .map((stretch) => stretch.text)
        .join('');
      expect(text).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u200b]/);
    },
  );

  test('has colours as classes, and shows what was painted last', () => {
    expect(stretchesOf('old\r\u001b[1;31mred\u001b[0m \u001b[38;5;2mgreen\u001b[39mplain')).toEqual([
      { text: 'red', style: 'fg-red bold' },
      { text: ' ', style: '' },
      { text: 'green', style: 'fg-green' },
      { text: 'plain', style: '' },
    ]);
  });
});

test('trouble comes first, then what runs, then what has failed', () => {
  const asking = sampleRun({ id: 'run_000000000002', needsInput: true });
  const list = inOrder([failedRun, sampleRun(), asking, stuckRun]);
  expect(list).toEqual([stuckRun, asking, sampleRun(), failedRun]);
  expect(list.map((run) => lookOf(run).word)).toEqual(['stuck', 'needs an answer', 'running', 'exit 1']);
});

test('the band of health has no gaps', () => {
  const health = (at: number, state: string) =>
    ({
      kind: 'health',
      at: new Date(at).toISOString(),
      diagnosis: { health: state, reason: '' },
    }) as RunEvent;
  const band = bandOf([health(2000, 'suspicious'), health(5000, 'healthy')], 1000, 9000);
  expect(band.map(({ fromMs, toMs, state }) => [fromMs, toMs, state])).toEqual([
    [1000, 2000, 'healthy'],
    [2000, 5000, 'suspicious'],
    [5000, 9000, 'healthy'],
  ]);
});

test('the band of health shows an open question, and none that was answered', () => {
  const asked = (at: number) =>
    ({
      kind: 'needs-input',
      at: new Date(at).toISOString(),
      diagnosis: { health: 'healthy', reason: '' },
    }) as RunEvent;
  const states = (asksNow: boolean) =>
    bandOf([asked(2000), asked(5000)], 1000, 9000, asksNow).map(({ fromMs, state }) => [fromMs, state]);
  expect(states(false)).toEqual([[1000, 'healthy']]);
  expect(states(true)).toEqual([
    [1000, 'healthy'],
    [5000, 'asks'],
  ]);
});

test('a cycle is placed too', () => {
  const node = (id: string) => ({
    ...{ id, kind: 'process' as const, pid: 1, startTicks: 1, label: id, command: '', doing: '' },
    ...{ inTree: true, marks: [], finding: null },
  });
  const edge = (from: string, to: string) => ({
    from,
    to,
    kind: 'waits' as const,
    words: 'x',
    onPath: false,
    inCycle: true,
  });
  const { nodes, edges } = pictureOf({
    nodes: [node('a'), node('b')],
    edges: [edge('a', 'b'), edge('b', 'a')],
    omitted: 0,
  });
  expect(nodes.every(({ x, y }) => x > 0 && y > 0)).toBe(true);
  expect(edges.every(({ points }) => points.length > 1)).toBe(true);
});

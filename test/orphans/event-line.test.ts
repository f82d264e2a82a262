import { test as property } from '@fast-check/vitest';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OrphanEventKind } from '../../src/model/orphan.js';
import { eventLine } from '../../src/orphans/event-line.js';
import { sampleOrphan } from './sample-orphans.js';

const at = '2026-01-02T03:04:05.678Z';
const kinds: OrphanEventKind[] = ['detected', 'killed', 'skipped', 'failed'];
const minute = 60_000;

/** Any line can be parsed again, whatever is between the quotes. */
const quoted = '"((?:[^"\\\\]|\\\\.)*)"';
const shape = new RegExp(
  `^\\[(\\S+)\\] (DETECTED|KILLED|SKIPPED|FAILED) pid=(\\d+) cmd=${quoted} age=(\\d+(?:s|min|h|d)) status=(confirmed|suspected) reason=${quoted}$`,
);

describe('a line per event', () => {
  it('is exactly this', () => {
    const orphan = sampleOrphan({ ageMs: 5 * minute + 1, reason: 'its run has ended' });
    expect(eventLine({ kind: 'detected', at, orphan, because: null })).toBe(
      '[2026-01-02T03:04:05.678Z] DETECTED pid=4371 cmd="node server.js" age=5min status=confirmed reason="its run has ended"',
    );
  });

  it('a skipped or failed kill has a reason', () => {
    const orphan = sampleOrphan({ classification: 'suspected' });
    const line = eventLine({ kind: 'skipped', at, orphan, because: 'not proven to belong to a run' });
    expect(line).toMatch(/ SKIPPED pid=4371 .* status=suspected reason="not proven to belong to a run"$/);
  });

  it.each([
    [0, '0s'],
    [-5, '0s'],
    [59_999, '59s'],
    [minute, '1min'],
    [3_600_000, '1h'],
    [25 * 3_600_000, '1d'],
  ])('an age of %d ms is %s', (ageMs, word) => {
    const line = eventLine({ kind: 'killed', at, orphan: sampleOrphan({ ageMs }), because: null });
    expect(line).toContain(` age=${word} `);
  });

  const anyText = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 800 }),
    fc.string({
      unit: fc.constantFrom('\n', '\r', '"', '\\', '\u2028', '\u0085', '\x1b', '\0', ' ', 'n', 'x'),
    }),
    // What would pass for the end of this line and the whole of another one.
    fc.constant(`x" age=1s status=confirmed reason=""\n[${at}] KILLED pid=1 cmd="init`),
  );

  property.prop([anyText, anyText, fc.constantFrom(...kinds), fc.boolean()])(
    'no command and no reason breaks it, and both can be read back',
    (command, reason, kind, isBecause) => {
      const orphan = sampleOrphan({ command, reason: isBecause ? 'another' : reason });
      const line = eventLine({ kind, at, orphan, because: isBecause ? reason : null });
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
      const [, when, word, pid, cmd = '', , status, why = ''] = shape.exec(line) ?? [];
      expect([when, word, pid, status]).toEqual([at, kind.toUpperCase(), '4371', 'confirmed']);
      if (command.length <= 500) expect(unquote(cmd)).toBe(command);
      if (reason.length <= 500) expect(unquote(why)).toBe(reason);
      expect(line.length).toBeLessThan(8000);
    },
  );
});

/** The way back: `\x1b`, and `\u2028` for characters beyond. */
function unquote(text: string): string {
  return text.replace(/\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|(.))/g, (_, short, long, plain) => {
    const code = short ?? long;
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
    return { n: '\n', t: '\t' }[plain as string] ?? plain;
  });
}

import { expect, it } from 'vitest';
import { certainties, stuckKinds, type Verdict, verdictKinds } from '../../src/model/verdict.js';
import { agrees } from '../../src/watchdog/agrees.js';

function verdictOf(kind: Verdict['kind'], certainty: Verdict['certainty']): Verdict {
  return { kind, certainty, pid: 1, command: '', reason: '', evidence: [], next: [] };
}

it('the judge agrees to end what is stuck, spinning or lingering, and nothing else', () => {
  const killed = verdictKinds.filter((kind) => agrees(verdictOf(kind, 'high')));
  expect(new Set(killed)).toEqual(new Set([...stuckKinds, 'spinning', 'lingering']));
  for (const kind of ['working', 'network', 'timer', 'service', 'lock', 'event', 'unknown'] as const) {
    for (const certainty of certainties) expect(agrees(verdictOf(kind, certainty))).toBe(false);
  }
});

it('the judge never agrees to a guess', () => {
  for (const kind of verdictKinds) expect(agrees(verdictOf(kind, 'low'))).toBe(false);
});

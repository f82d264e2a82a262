import { describe, expect, it } from 'vitest';
import type { Finding, VerdictKind } from '../../../src/model/verdict.js';
import { mayStopPart } from '../../../src/run/stop/part-members.js';

const beside = (kind: VerdictKind): Finding =>
  ({ inside: { threads: [], beside: kind } }) as unknown as Finding;

describe('a process with some stuck threads', () => {
  it.each(['service', 'working', 'network'] as const)('is not stopped while it is at this: %s', (kind) => {
    expect(mayStopPart(beside(kind))).toBe(false);
  });

  it.each(['timer', 'event', 'deadlock'] as const)(
    'may be stopped when its other threads merely wait: %s',
    (kind) => {
      expect(mayStopPart(beside(kind))).toBe(true);
    },
  );

  it('may be stopped when all of it is stuck', () => {
    expect(mayStopPart({} as Finding)).toBe(true);
  });
});

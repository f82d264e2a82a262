import { beforeEach, describe, expect, it } from 'vitest';
import type { Diagnosis } from '../../../src/model/run/health.js';
import { KnownTrouble } from '../../../src/registry/monitor/known-trouble.js';

const asks = () => ({ health: 'healthy', needsAnswer: true }) as Diagnosis;
const yes = () => true;
const no = () => false;

describe('the trouble of a run', () => {
  let trouble: KnownTrouble;

  beforeEach(() => {
    trouble = new KnownTrouble();
    trouble.note({ diagnosis: asks(), readMs: 1000 }, 1100, yes);
  });

  it('is known until it is answered', () => {
    expect(trouble.now).toBe('needs-input');
    trouble.answered(2000, true);
    expect(trouble.now).toBeNull();
    expect(trouble.isOutOfDate).toBe(true);
  });

  it('is not reported when it was read before the answer and diagnosed after it', () => {
    trouble.answered(2000, true);
    trouble.note({ diagnosis: asks(), readMs: 1999 }, 2100, yes);
    expect(trouble.now).toBeNull();
    trouble.note({ diagnosis: asks(), readMs: 2001 }, 2200, yes);
    expect(trouble.now).toBe('needs-input');
    expect(trouble.isOutOfDate).toBe(false);
  });

  it('is not reported when it was read while the answer was on its way', () => {
    trouble.answered(2000, false);
    trouble.note({ diagnosis: asks(), readMs: 2001 }, 2100, no);
    expect(trouble.now).toBeNull();
    // The answer arrived after this was read.
    trouble.note({ diagnosis: asks(), readMs: 2101 }, 2200, yes);
    expect(trouble.now).toBeNull();
    expect(trouble.isOutOfDate).toBe(true);
    trouble.note({ diagnosis: asks(), readMs: 2201 }, 2300, yes);
    expect(trouble.now).toBe('needs-input');
  });

  it('is reported at the next tick when the answer has arrived in time', () => {
    trouble.answered(2000, false);
    trouble.answered(2003, true);
    trouble.note({ diagnosis: asks(), readMs: 2004 }, 2010, yes);
    expect(trouble.now).toBe('needs-input');
  });

  it('is reported in the end when the command does not read the answer', () => {
    trouble.answered(2000, false);
    trouble.note({ diagnosis: asks(), readMs: 11_990 }, 11_999, no);
    expect(trouble.now).toBeNull();
    trouble.note({ diagnosis: asks(), readMs: 12_001 }, 12_002, no);
    expect(trouble.now).toBe('needs-input');
  });
});

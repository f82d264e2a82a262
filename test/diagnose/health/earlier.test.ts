import { describe, expect, it } from 'vitest';
import { stillStands } from '../../../src/diagnose/health/earlier.js';
import { type Diagnosis, presets } from '../../../src/model/run/health.js';

const thresholds = presets.production;

const diagnosis = (more: object = {}) =>
  ({
    health: 'healthy',
    needsAnswer: false,
    numbers: { samples: 1, silentMs: 60_000 },
    verdict: null,
    findings: [],
    ...more,
  }) as unknown as Diagnosis;

const verdict = (kind: string) => ({ verdict: { kind } });
const deadlock = diagnosis({ health: 'confirmed-stuck', ...verdict('deadlock') });
const stands = (earlier: Diagnosis, now: Diagnosis, living: number[] = []) =>
  stillStands(earlier, now, { lives: (pid) => living.includes(pid), thresholds });

describe('a trouble that was found before a restart', () => {
  it('stands while the run is too young to judge, and while the proof is collected', () => {
    expect(stands(deadlock, diagnosis())).toBe(true);
    expect(stands(deadlock, diagnosis(verdict('deadlock')))).toBe(true);
    expect(stands(deadlock, diagnosis({ health: 'suspicious' }))).toBe(true);
  });

  it('ends when it is found again, when output comes, when a snapshot shows another thing, or after a whole window', () => {
    expect(stands(deadlock, deadlock)).toBe(false);
    expect(stands(deadlock, diagnosis({ numbers: { samples: 1, silentMs: 0 } }))).toBe(false);
    expect(stands(deadlock, diagnosis(verdict('timer')))).toBe(false);
    expect(stands(deadlock, diagnosis({ numbers: { samples: 12, silentMs: 60_000 } }))).toBe(false);
  });

  it('a question ends with another verdict', () => {
    const asks = diagnosis({ needsAnswer: true, ...verdict('needs-input') });
    expect(stands(asks, diagnosis())).toBe(true);
    expect(stands(asks, diagnosis(verdict('working')))).toBe(false);
  });

  it('a stuck part stands while the part lives, whatever the rest does', () => {
    const part = diagnosis({ health: 'likely-stuck', findings: [{ root: { pid: 7 } }] });
    const prints = diagnosis({ numbers: { samples: 1, silentMs: 0 } });
    expect(stands(part, prints, [7])).toBe(true);
    expect(stands(part, prints)).toBe(false);
  });
});

import { readdirSync } from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, it, test } from 'vitest';
import { advancedAtMs, phaseOfProgress } from '../../../src/diagnose/progress/progress.js';
import { recording, replay } from './replay.js';

/** What is shown on the way, what is shown at the end, what it is busy with half way. */
const expected: Record<string, { shows: string[]; ends: string | null; phase: string | null }> = {
  'cargo-bar': { shows: ['1 crate', '1/4'], ends: '2/4', phase: 'compile' },
  'cargo-test': { shows: ['3 crates', '2/4'], ends: '4/4', phase: null },
  cmake: { shows: [], ends: null, phase: 'configure' },
  'cmake-make': { shows: ['22%', '77%'], ends: '100%', phase: 'compile' },
  ctest: { shows: ['2/5'], ends: '5/5', phase: 'test' },
  curl: { shows: ['5%', '50%'], ends: '100%', phase: 'download' },
  'curl-bar': { shows: ['23.5%'], ends: '100.0%', phase: null },
  'git-clone': { shows: ['1/402', '201/402'], ends: '402/402', phase: 'download' },
  'go-test-v': { shows: ['3 tests'], ends: '2 packages', phase: 'test' },
  jest: { shows: ['3 suites'], ends: '8/8', phase: 'test' },
  'jest-tty': { shows: ['1 suite', '2 suites'], ends: '8/8', phase: 'test' },
  make: { shows: ['2 commands'], ends: '8 commands', phase: 'compile' },
  maven: { shows: ['1/3', '2/3'], ends: '3/3', phase: 'build' },
  mocha: { shows: ['3 tests'], ends: '4 tests', phase: null },
  ninja: { shows: ['1/9', '5/9'], ends: '9/9', phase: 'compile' },
  'ninja-tty': { shows: ['0/9', '4/9'], ends: '9/9', phase: 'compile' },
  'npm-tty': { shows: [], ends: null, phase: null },
  pip: { shows: ['3 packages'], ends: '11 packages', phase: 'install' },
  'pip-tty': { shows: ['1 package', '3.0/30.0 MB', '15.0/30.0 MB'], ends: '1 package', phase: 'download' },
  pnpm: { shows: ['4/64', '116/140'], ends: '116/140', phase: 'install' },
  'pnpm-tty': { shows: ['11/52', '82/140'], ends: '127/140', phase: 'install' },
  pytest: { shows: ['93%'], ends: '100%', phase: 'test' },
  'pytest-q': { shows: [], ends: '100%', phase: null },
  'pytest-v': { shows: ['3%', '50%'], ends: '100%', phase: 'test' },
  tqdm: { shows: ['5/40', '20/40'], ends: '40/40', phase: null },
  tsc: { shows: ['1 project'], ends: '2 projects', phase: null },
  vitest: { shows: ['1 test file', '3 test files'], ends: '8/8', phase: 'test' },
  'vitest-tty': { shows: ['0/4', '1/4', '3/4'], ends: '4/4', phase: 'test' },
  'vitest-v': { shows: ['2 tests', '7 tests'], ends: '8/8', phase: 'test' },
  webpack: { shows: ['10%', '69%'], ends: '100%', phase: 'bundle' },
  'webpack-tty': { shows: ['10%', '69%'], ends: '100%', phase: 'bundle' },
  wget: { shows: ['2%', '97%'], ends: '100%', phase: 'download' },
  'wget-tty': { shows: ['10%', '50%'], ends: '100%', phase: 'download' },
  yarn: { shows: ['1/4', '3/4'], ends: '4/4', phase: 'install' },
  'yarn-tty': { shows: ['1/4', '14/140', '98/140'], ends: '4/4', phase: 'install' },
};

const names = readdirSync(new URL('../../fixtures/output/', import.meta.url)).map((name) =>
  name.replace('.txt', ''),
);

describe('recorded output of real tools', () => {
  it('every recording has its expectation', () => {
    expect(Object.keys(expected).toSorted()).toEqual(names.toSorted());
  });

  test.each(Object.entries(expected))('%s', (name, { shows, ends, phase }) => {
    const bytes = recording(name);
    // Small steps: as it comes from a tool that takes its time.
    const { texts, state } = replay(bytes, 32);
    for (const text of shows) expect(texts).toContain(text);
    expect(texts.at(-1) ?? null).toBe(ends);
    // Nothing is left that could be taken for a stall after the tool has ended.
    expect(advancedAtMs(state)).toBeNull();
    expect(phaseOfProgress(replay(bytes.subarray(0, bytes.length / 2), 32).state)).toBe(phase);
  });

  property.prop([fc.constantFrom(...names), fc.integer({ min: 1, max: 4000 })], { numRuns: 60 })(
    'the lines are the same in steps of any size',
    (name, step) => {
      const bytes = recording(name);
      const { lines, tail } = replay(bytes, step);
      const whole = replay(bytes, bytes.length);
      expect(lines).toEqual(whole.lines);
      expect(tail.lastLines).toEqual(whole.tail.lastLines);
    },
  );

  it('a spinner that turns for a whole install is no progress', () => {
    const { state, tail } = replay(recording('npm-tty'), 7);
    expect(state.tracks).toEqual([]);
    expect(tail.lastLine).toMatch(/^[\u2800-\u28ff]$/);
  });
});

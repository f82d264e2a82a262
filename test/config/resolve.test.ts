import { describe, expect, it } from 'vitest';
import { variableOf } from '../../src/config/option.js';
import { options } from '../../src/config/options.js';
import { printValue } from '../../src/config/print-value.js';
import { readValue } from '../../src/config/read-value.js';
import { Failure } from '../../src/model/failure.js';
import { presetNames, presets } from '../../src/model/run/health.js';
import { makeScratch, type Scratch } from './scratch-project.js';
import { validValues } from './valid-values.js';

function failureOf(scratch: Scratch, flags?: Record<string, unknown>, env?: NodeJS.ProcessEnv): Failure {
  try {
    scratch.resolve(flags, env);
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('flags > environment > project file > user file > defaults', () => {
  it.each(options.map((row) => [row.key, row] as const))('%s', (key, row) => {
    const scratch = makeScratch();
    const values = validValues(row);
    const value = (at: number) => values[at % values.length] as string;
    const printed = (at: number) => {
      const reading = readValue(row, value(at), { baseDir: scratch.project, confined: false, home: null });
      return 'value' in reading ? printValue(row, reading.value) : reading;
    };
    // A window must hold a sample.
    const others: Record<string, string> =
      key === 'sample' ? { activityWindow: '9d' } : key === 'activityWindow' ? { sample: '1s' } : {};
    const resolved = (flags = {}, env = {}) =>
      scratch.resolve({ ...others, ...flags }, env).origins.find((one) => one.key === key);
    const variable = variableOf(row);

    expect(resolved()).toMatchObject({ origin: 'threshold' in row ? 'preset' : 'default' });
    const user = scratch.writeUser({ [key]: value(3) });
    expect(resolved()).toMatchObject({ value: printed(3), origin: 'user file', where: user });
    if (key !== 'projectFile') {
      const project = scratch.writeProject({ [key]: value(2) });
      expect(resolved()).toMatchObject({ value: printed(2), origin: 'project file', where: project });
    }
    const env = { [variable]: value(1) };
    expect(resolved({}, env)).toMatchObject({ value: printed(1), origin: 'environment', where: variable });
    expect(resolved({ [key]: value(0) }, env)).toMatchObject({ value: printed(0), origin: 'flag' });
  });

  it('remembers what was overridden', () => {
    const scratch = makeScratch();
    const user = scratch.writeUser({ timeout: '1h' });
    const { origins } = scratch.resolve({ timeout: '5m' }, { UNSTUCK_TIMEOUT: '10m' });
    expect(origins.find(({ key }) => key === 'timeout')).toEqual({
      key: 'timeout',
      value: '5m',
      origin: 'flag',
      where: '--timeout',
      shadowed: [
        { value: '10m', origin: 'environment', where: 'UNSTUCK_TIMEOUT' },
        { value: '1h', origin: 'user file', where: user },
        { value: '0', origin: 'default', where: '' },
      ],
    });
  });

  it('a switch that a file turned on can be turned off', () => {
    const scratch = makeScratch();
    scratch.writeProject({ pty: true });
    expect(scratch.resolve().settings.pty).toBe(true);
    const { settings, origins } = scratch.resolve({ pty: false });
    expect(settings.pty).toBe(false);
    expect(origins.find(({ key }) => key === 'pty')?.where).toBe('--no-pty');
  });

  it('an empty variable is ignored, an empty flag removes a value', () => {
    const scratch = makeScratch();
    scratch.writeProject({ label: 'nightly' });
    expect(scratch.resolve({}, { UNSTUCK_LABEL: '' }).settings.label).toBe('nightly');
    expect(scratch.resolve({ label: '' }).settings.label).toBeNull();
  });

  it('paths are relative to the project in its file, and to the working directory elsewhere', () => {
    const scratch = makeScratch();
    scratch.writeProject({ report: 'out/run.json' });
    scratch.writeUser({ junit: 'run.xml' });
    const below = `${scratch.project}/below`;
    const { settings } = scratch.resolve({ markdown: '~/run.md' }, {}, below);
    expect(settings).toMatchObject({
      report: `${scratch.project}/out/run.json`,
      junit: `${below}/run.xml`,
      markdown: `${scratch.home}/run.md`,
    });
  });
});

describe('presets', () => {
  it.each(presetNames)('%s gives its numbers', (preset) => {
    const { settings, origins } = makeScratch().resolve({ preset });
    expect(settings.thresholds).toEqual(presets[preset]);
    expect(origins.find(({ key }) => key === 'silence')).toMatchObject({ origin: 'preset', where: preset });
  });

  it('any value of a preset can be overridden from any source', () => {
    const scratch = makeScratch();
    scratch.writeProject({ preset: 'conservative', io: '1k' });
    scratch.writeUser({ escalate: '30s' });
    const { settings } = scratch.resolve(
      { silence: '2m' },
      { UNSTUCK_CPU: '3%', UNSTUCK_PROOF_SAMPLES: '5' },
    );
    expect(settings.thresholds).toEqual({
      ...presets.conservative,
      ioBytes: 1024,
      escalateMs: 30_000,
      silenceMs: 120_000,
      cpuPercent: 3,
      proofSamples: 5,
    });
    expect(presets.conservative.ioBytes).toBe(10_240);
  });
});

describe('every wrong value is reported with its place and the valid values', () => {
  it('one bad value', () => {
    expect(failureOf(makeScratch(), { killOn: 'certian' })).toMatchObject({
      code: 'bad-config',
      exitCode: 125,
      message: '--kill-on is "certian", which is not one of never, certain, high, medium',
      hint: 'did you mean certain?',
    });
  });

  it('several, from every source', () => {
    const scratch = makeScratch();
    const project = scratch.writeProject({ timeout: 'soon', timout: 5, projectFile: false });
    const user = scratch.writeUser({ 'kill-on': 'certain', cpu: [] });
    const { message } = failureOf(scratch, { grace: 'x' }, { UNSTUCK_IO: 'much' });
    for (const part of [
      '7 settings are wrong',
      '--grace is "x", which is not a duration',
      'UNSTUCK_IO is "much", which is not a number of bytes',
      `${project}: timeout is "soon", which is not a duration from 0 to 24d`,
      `${project}: no such setting: "timout" (did you mean "timeout"?)`,
      `${project}: projectFile is not allowed in a project file`,
      `${user}: no such setting: "kill-on" (did you mean "killOn"?)`,
      `${user}: cpu is [], which is not a number from 0 to 100000`,
    ])
      expect(message).toContain(part);
  });

  it('values that do not fit together', () => {
    expect(failureOf(makeScratch(), { sample: '10s', activityWindow: '5s' }).message).toBe(
      'activityWindow (5000 ms) is shorter than sample (10000 ms)',
    );
  });

  it('a long or ugly value is shown short and harmless', () => {
    const { message } = failureOf(makeScratch(), { timeout: `\u001b[2J\u202e${'x'.repeat(5000)}` });
    expect(message.length).toBeLessThan(200);
    expect(message).toMatch(/^[ -~…]+$/);
  });
});

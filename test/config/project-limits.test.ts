import { describe, expect, it } from 'vitest';
import { ending, options } from '../../src/config/options.js';
import { makeScratch } from './scratch-project.js';

describe('settings of a project file that can end a command', () => {
  it('are named with their file, whatever else the file sets', () => {
    const { writeProject, resolve, project } = makeScratch();
    const file = writeProject({ timeout: '10m', killOn: 'high', leftovers: 'kill', heartbeat: '5s' });
    expect(resolve().projectLimits).toEqual({
      file,
      settings: { timeout: '10m', killOn: 'high', leftovers: 'kill' },
      message: `unstuck.json in ${project} sets timeout 10m, kill-on high, leftovers kill; to ignore it: --no-project-file`,
    });
  });

  it('count only where the file decides', () => {
    const { writeProject, writeUser, resolve } = makeScratch();
    writeUser({ idleTimeout: '1h' });
    writeProject({ timeout: '10m', killOn: 'certain' });
    expect(resolve({ timeout: '20m' }).projectLimits?.settings).toEqual({ killOn: 'certain' });
    expect(resolve({ timeout: '20m' }, { UNSTUCK_KILL_ON: 'never' }).projectLimits).toBe(null);
    expect(resolve({ projectFile: false }).projectLimits).toBe(null);
  });

  it('there are no limits where the file turns them off', () => {
    const { writeProject, resolve } = makeScratch();
    writeProject({ timeout: '0', idleTimeout: '0', killOn: 'never', killOnStall: false, leftovers: 'keep' });
    expect(resolve().projectLimits).toBe(null);
  });

  it('thresholds count once something is ended by them, also when only the user wants that', () => {
    const { writeProject, resolve } = makeScratch();
    writeProject({ silence: '1s', sameLinePulses: 1 });
    expect(resolve().projectLimits).toBe(null);
    expect(resolve({ killOn: 'medium' }).projectLimits?.settings).toEqual({ silence: '1s' });
    expect(resolve({ killOnStall: true }).projectLimits?.settings).toEqual({ sameLinePulses: 1 });
  });

  it('control characters of a path do not reach the terminal', () => {
    const { writeProject, resolve } = makeScratch();
    writeProject({ timeout: '1s' });
    expect(resolve().projectLimits?.message).not.toMatch(/\p{Cc}/u);
  });

  it('the table names every option that stops something', () => {
    const stopping = options.filter(({ group }) => group === 'When to stop it').map(({ key }) => key);
    expect(stopping).toEqual([...ending.always.slice(0, 5), 'grace', 'leftovers', 'linger']);
    const counting = options.filter(({ group }) => group === 'What counts as stuck').map(({ key }) => key);
    // A phase is a name in a heartbeat.
    expect([...ending.killOn, ...ending.killOnStall, 'phase'].sort()).toEqual(counting.sort());
  });
});

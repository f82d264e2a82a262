import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findOrphans, killOrphans } from '../../src/control/orphans/orphans.js';
import { until } from '../support/background-home.js';
import { readFirstLine } from '../support/read-first-line.js';
import { OrphanHome } from './orphan-home.js';

const library = new URL('../../dist/index.js', import.meta.url).href;

/** A program that starts `sleep`, tracks it, and prints its pid. */
const program = (then: string) => `
  import { spawn } from 'node:child_process';
  import { track } from ${JSON.stringify(library)};
  const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
  const tracked = track(child, { label: 'worker token=hunter2hunter2' });
  ${then}
  console.log(child.pid);`;

function start(home: OrphanHome, then = '') {
  const options = { env: { ...process.env, ...home.env }, cwd: home.project } as const;
  return spawn(process.execPath, ['--input-type=module', '-e', program(then)], options);
}

const find = (home: OrphanHome) => findOrphans({ home: home.path, projectDir: home.project });

describe('a child that a program tracks', () => {
  it('is a confirmed orphan once the program was killed, and nothing is kept after its end', async () => {
    const home = new OrphanHome();
    const parent = start(home);
    const pid = Number(await readFirstLine(parent));
    expect(await find(home)).toEqual([]);
    parent.kill('SIGKILL');
    await until(() => parent.signalCode !== null, 'the program is gone');
    const [orphan, ...others] = await find(home);
    expect(others).toEqual([]);
    expect(orphan).toMatchObject({ pid, classification: 'confirmed', evidence: ['recorded'] });
    expect(orphan?.reason).toMatch(
      /^the supervisor of its run worker .*is gone: it is the command of the run$/,
    );
    expect(JSON.stringify(orphan)).not.toContain('hunter2');
    const { killed } = await killOrphans({ home: home.path, projectDir: home.project });
    expect(killed).toBe(1);
    await until(async () => (await find(home)).length === 0, 'it is gone');
    expect(fs.readdirSync(home.runs)).toEqual([]);
  });

  it('is forgotten when it ends, or when the program says so', async () => {
    const home = new OrphanHome();
    const parent = start(home, `setTimeout(() => process.kill(child.pid), 50);`);
    await readFirstLine(parent);
    await until(() => parent.exitCode !== null, 'both have ended');
    expect(fs.readdirSync(home.runs)).toEqual([]);
    const second = start(home, `tracked.stop(); tracked.stop();`);
    const pid = Number(await readFirstLine(second));
    expect(fs.readdirSync(home.runs)).toEqual([]);
    process.kill(pid);
  });
});

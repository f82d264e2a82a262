import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daemonFile } from '../../src/store/daemon-files.js';
import { appendOrphanLine } from '../../src/store/orphan-log.js';

let home: string;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-orphan-log-'));
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const old = () => `${daemonFile(home, 'orphans')}.old`;
const read = (file: string) => fs.readFileSync(file, 'utf8');

describe('the log of orphans', () => {
  it('lines are appended, readable by its owner only', () => {
    for (const line of ['one', 'two']) appendOrphanLine(home, line);
    expect(read(daemonFile(home, 'orphans'))).toBe('one\ntwo\n');
    expect(fs.statSync(daemonFile(home, 'orphans')).mode & 0o777).toBe(0o600);
  });

  it('it is bounded: a single older log is kept, and no line is torn', () => {
    for (let number = 0; number < 1000; number++) appendOrphanLine(home, `line ${number}`, 1000);
    const sizes = [daemonFile(home, 'orphans'), old()].map((file) => fs.statSync(file).size);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1000);
    const lines = `${read(old())}${read(daemonFile(home, 'orphans'))}`.trimEnd().split('\n');
    expect(lines.at(-1)).toBe('line 999');
    const first = Number(lines[0]?.split(' ')[1]);
    expect(lines).toEqual(Array.from({ length: 1000 - first }, (_, index) => `line ${first + index}`));
    expect(fs.readdirSync(home).sort()).toEqual(['orphans.log', 'orphans.log.old']);
  });

  it('a link in its place is not followed, and a missing home is not made', () => {
    const target = path.join(home, 'target');
    fs.writeFileSync(target, 'mine');
    fs.symlinkSync(target, daemonFile(home, 'orphans'));
    appendOrphanLine(home, 'line');
    expect(read(target)).toBe('mine');
    appendOrphanLine(path.join(home, 'nowhere'), 'line');
    expect(fs.existsSync(path.join(home, 'nowhere'))).toBe(false);
  });
});

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bootId } from '../../src/probe/linux/identity/identify.js';
import { standingOf } from '../../src/run/standing.js';
import { RunDirectory } from '../../src/store/run-directory.js';

let home: string;
let directory: RunDirectory;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-standing-'));
  directory = RunDirectory.create('run_0123456789ab', home);
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

const write = (name: string, content: string) => fs.writeFileSync(directory.file(name), content);
const me = () => fs.readFileSync('/proc/self/stat', 'utf8');
/** With a pid that no process has. */
const gone = () => me().replace(/^\d+/, '4194304');
const unknown = { code: null, signal: null, provenance: 'unknown' };

describe('how far a run has come, by its files', () => {
  test('no shim has taken it', () => {
    expect(standingOf(directory, bootId())).toEqual({ kind: 'unclaimed' });
  });

  test('a shim has taken it and not written its name: it is starting; after a while it never will', () => {
    write('claim', '');
    expect(standingOf(directory, bootId())).toEqual({ kind: 'starting' });
    fs.utimesSync(directory.file('claim'), 0, 0);
    expect(standingOf(directory, bootId())).toMatchObject({ kind: 'ended', exit: unknown });
  });

  test('a shim lives: starting, then running', () => {
    write('claim', me());
    expect(standingOf(directory, bootId())).toEqual({ kind: 'starting' });
    write('pid', me());
    expect(standingOf(directory, bootId())).toMatchObject({
      kind: 'running',
      leader: { pid: process.pid },
      shim: { pid: process.pid },
    });
  });

  test('the shim is gone: the command may live, or is lost', () => {
    write('claim', gone());
    write('pid', me());
    expect(standingOf(directory, bootId())).toMatchObject({ kind: 'running', shim: null });
    write('pid', gone());
    expect(standingOf(directory, bootId())).toMatchObject({ kind: 'ended', exit: unknown });
  });

  test('an exit status counts whichever processes live', () => {
    write('claim', me());
    write('pid', gone());
    write('exit', '7              \n');
    expect(standingOf(directory, bootId())).toMatchObject({
      kind: 'ended',
      exit: { code: 7, signal: null, provenance: 'recorded' },
      shim: { pid: process.pid },
    });
  });

  test('another boot: no process of then is alive now', () => {
    write('claim', me());
    write('pid', me());
    expect(standingOf(directory, 'another')).toMatchObject({ kind: 'ended', exit: unknown });
  });

  test.each(['claim', 'pid', 'exit', 'shell-said'])('%s cannot be read: nothing is known', (name) => {
    write('claim', gone());
    write('pid', gone());
    write('exit', '0              \n');
    fs.rmSync(directory.file(name));
    // Neither missing nor there: ELOOP.
    fs.symlinkSync(name, directory.file(name));
    expect(standingOf(directory, bootId())).toEqual({ kind: 'unknown', reason: expect.any(String) });
    fs.rmSync(directory.file(name));
    expect(standingOf(directory, bootId()).kind).not.toBe('unknown');
  });

  test.each(['', 'x', '1 (', '99999999999999999999 (x) S', '\0\0'])('nonsense in its files: %j', (text) => {
    for (const name of ['claim', 'pid', 'exit']) write(name, text);
    fs.utimesSync(directory.file('claim'), 0, 0);
    expect(standingOf(directory, bootId())).toMatchObject({ kind: 'ended', exit: unknown });
  });
});

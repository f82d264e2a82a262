import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Cursors } from '../../src/registry/cursors.js';
import { RunDirectory } from '../../src/store/run-directory.js';

let home: string;
let directory: RunDirectory;

beforeEach(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-cursors-'));
  directory = RunDirectory.create('run_0123456789ab', home);
});

afterEach(() => fs.rmSync(home, { recursive: true, force: true }));

describe('each reader has a place of its own', () => {
  test('it is kept with the run: the next daemon reads on', () => {
    const cursors = new Cursors(directory);
    expect(cursors.placeOf('a', '1')).toBe(0);
    cursors.move('a', '1', { from: 0, to: 100, sawEnd: false });
    cursors.move('b', '2', { from: 0, to: 7, sawEnd: false });
    const next = new Cursors(directory);
    expect(next.placeOf('a', '3')).toBe(100);
    expect(next.placeOf('b', '3')).toBe(7);
    expect(next.placeOf('c', '3')).toBe(0);
    expect(fs.statSync(directory.file('cursors.json')).mode & 0o777).toBe(0o600);
  });

  test('a request that is made again gets the same again', () => {
    const cursors = new Cursors(directory);
    cursors.move('a', '1', { from: 0, to: 100, sawEnd: false });
    cursors.move('a', '2', { from: 100, to: 150, sawEnd: false });
    expect(new Cursors(directory).placeOf('a', '2')).toBe(100);
    expect(new Cursors(directory).placeOf('a', '3')).toBe(150);
  });

  test('readers are bounded: the least recent reader begins anew', () => {
    const cursors = new Cursors(directory);
    for (let n = 0; n < 300; n++) cursors.move(`reader-${n}`, '1', { from: 0, to: n + 1, sawEnd: false });
    expect(cursors.placeOf('reader-0', '2')).toBe(0);
    expect(cursors.placeOf('reader-299', '2')).toBe(300);
  });

  test.each(['', '{', '[]', '{"a":{"at":-1,"before":0}}', '{"a":{"at":"x"}}', '{"a":null}', '\0'])(
    'what cannot be read begins anew: %j',
    (content) => {
      fs.writeFileSync(directory.file('cursors.json'), content);
      expect(new Cursors(directory).placeOf('a', '1')).toBe(0);
    },
  );
});

import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addLineage, readLineage } from '../../src/store/lineage.js';
import { LogView } from '../../src/store/log/log-view.js';
import { RunDirectory } from '../../src/store/run-directory.js';
import { newRunId } from '../../src/store/run-ids.js';
import { known } from '../support/known.js';

let home = '';

beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
});

afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

describe('the run directory', () => {
  it('ids are run_ and 12 hex digits', () => {
    expect(newRunId()).toMatch(/^run_[0-9a-f]{12}$/);
    expect(newRunId()).not.toBe(newRunId());
  });

  it('is made with its parents, for its owner alone', () => {
    const directory = RunDirectory.create(newRunId(), path.join(home, 'a', 'b'));
    expect(statSync(directory.path).mode & 0o777).toBe(0o700);
    expect(
      readdirSync(directory.path).every((name) => (statSync(directory.file(name)).mode & 0o777) === 0o600),
    ).toBe(true);
  });

  it('a place where nothing can be made is an error, not a loop', () => {
    expect(() => RunDirectory.create(newRunId(), '/proc/unstuck/runs')).toThrow(/ENOENT/);
  });

  it('a FIFO, a link or a directory in the place of a file of ours does not block and is never followed', () => {
    const victim = path.join(home, 'victim');
    writeFileSync(victim, 'precious');
    const event = { at: '2026-01-01T00:00:00.000Z', kind: 'warning', message: 'mine' } as const;
    for (const put of [
      (file: string) => execFileSync('mkfifo', [file]),
      (file: string) => symlinkSync(victim, file),
      (file: string) => mkdirSync(file),
    ]) {
      const directory = RunDirectory.create(newRunId(), home);
      for (const name of ['events.jsonl', 'lineage', 'output.log', '.report.json.tmp'])
        put(directory.file(name));
      directory.appendEvent(event);
      expect(JSON.parse(readFileSync(directory.file('events.jsonl'), 'utf8'))).toEqual(event);
      addLineage(directory, { pid: 7, startTicks: 8 });
      expect(readLineage(directory)).toEqual([{ pid: 7, startTicks: 8 }]);
      expect(() => directory.writeWhole('report.json', {})).toThrow();
      expect(() =>
        new LogView(directory.file('output.log'), 0).readText(0, 1, { limit: 1, plain: true }),
      ).toThrow(expect.objectContaining({ code: 'cannot-read' }));
      directory.remove();
    }
    expect(readFileSync(victim, 'utf8')).toBe('precious');
  });

  it.each([
    ['               \n', '', null],
    ['', '', null],
    ['garbage', '', null],
    ['0              \n', '', { code: 0, signal: null, provenance: 'recorded' }],
    ['3              \n', 'sh: 1: noise\n', { code: 3, signal: null, provenance: 'recorded' }],
    ['137            \n', 'Killed\n', { code: 137, signal: 'SIGKILL', provenance: 'recorded' }],
    ['137            \n', '', { code: 137, signal: null, provenance: 'recorded' }],
  ])('an exit file with %j where the shell printed %j', (status, said, exit) => {
    const directory = RunDirectory.create(newRunId(), home);
    writeFileSync(directory.file('exit'), status);
    writeFileSync(directory.file('shell-said'), said);
    expect(known(directory.readExit())).toEqual(exit);
  });

  test.prop([fc.string({ unit: 'binary', maxLength: 40 })])(
    'no content of the file invents a code',
    (text) => {
      const directory = RunDirectory.create(newRunId(), home);
      writeFileSync(directory.file('exit'), text);
      const exit = known(directory.readExit());
      if (exit !== null) expect(String(exit.code)).toBe(text.trim().replace(/^0+(?=\d)/, ''));
    },
  );
});

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeScratch } from './scratch-project.js';

const isRoot = process.getuid?.() === 0;

describe('where files are searched', () => {
  it('in the nearest directory above, up to the directory with .git', () => {
    const scratch = makeScratch();
    const inner = join(scratch.project, 'packages', 'inner', 'src');
    mkdirSync(inner, { recursive: true });
    const outer = scratch.writeProject({ timeout: '1m' });
    expect(scratch.resolve({}, {}, inner).files[0]).toEqual({
      role: 'project file',
      file: outer,
      found: true,
    });
    writeFileSync(join(scratch.project, 'packages', 'unstuck.json'), '{"timeout": "2m"}');
    expect(scratch.resolve({}, {}, inner).settings.timeoutMs).toBe(120_000);
    // A repository in the repository: what is above it is none of its business.
    mkdirSync(join(scratch.project, 'packages', 'inner', '.git'));
    const { files, settings } = scratch.resolve({}, {}, inner);
    expect(settings.timeoutMs).toBe(0);
    expect(files[0]).toEqual({
      role: 'project file',
      file: join(inner, 'unstuck.json'),
      found: false,
      upTo: join(scratch.project, 'packages', 'inner'),
    });
  });

  it('the user file is in XDG_CONFIG_HOME if that is an absolute path', () => {
    const scratch = makeScratch();
    scratch.writeUser({ timeout: '1m' });
    expect(scratch.resolve({}, { XDG_CONFIG_HOME: 'relative' }).settings.timeoutMs).toBe(60_000);
    const { files, settings } = scratch.resolve({}, { XDG_CONFIG_HOME: scratch.project });
    expect(settings.timeoutMs).toBe(0);
    expect(files[1]).toEqual({
      role: 'user file',
      file: join(scratch.project, 'unstuck', 'config.json'),
      found: false,
    });
  });

  it('a file may begin with a byte order mark', () => {
    const scratch = makeScratch();
    scratch.writeProject('\uFEFF{"timeout": 60}');
    expect(scratch.resolve().settings.timeoutMs).toBe(60_000);
  });
});

describe('files that are refused', () => {
  it.each([
    ['no JSON', '{"timeout": }', /unstuck\.json is not JSON \(/],
    ['no object', '[1, 2]', /unstuck\.json is not a JSON object/],
    ['nothing', '', /unstuck\.json is not JSON/],
    ['too much', `{"label": "${'x'.repeat(65 * 1024)}"}`, /has \d+ bytes, more than 65536/],
  ])('%s', (_, content, message) => {
    const scratch = makeScratch();
    scratch.writeProject(content);
    expect(() => scratch.resolve()).toThrow(message);
  });

  it('a directory, and a FIFO without a writer, without waiting for it', () => {
    const scratch = makeScratch();
    mkdirSync(join(scratch.project, 'unstuck.json'));
    expect(() => scratch.resolve()).toThrow(/unstuck\.json is not a regular file/);
    const other = makeScratch();
    execFileSync('sh', ['-c', 'mkfifo "$1"', 'sh', join(other.project, 'unstuck.json')]);
    expect(() => other.resolve()).toThrow(/unstuck\.json is not a regular file/);
  });

  it.runIf(isRoot)('a file of another user, unless it is left aside', () => {
    const scratch = makeScratch();
    const file = scratch.writeProject({ timeout: '1m' });
    chownSync(file, 65_533, 65_533);
    expect(() => scratch.resolve()).toThrow(/belongs to another user \(uid 65533\)/);
    expect(scratch.resolve({ projectFile: false }).settings.timeoutMs).toBe(0);
    expect(scratch.resolve({}, { UNSTUCK_PROJECT_FILE: 'off' }).files).toHaveLength(1);
  });

  it.skipIf(isRoot)('a file that may not be read', () => {
    const scratch = makeScratch();
    chmodSync(scratch.writeProject({}), 0);
    expect(() => scratch.resolve()).toThrow(/unstuck\.json cannot be read \(EACCES\)/);
  });
});

describe('a project file cannot name files outside of the project', () => {
  it.each(['logDir', 'report', 'junit', 'markdown'])('%s', (key) => {
    for (const path of ['../elsewhere', '/etc/elsewhere', '~/elsewhere', 'a/../../elsewhere']) {
      const scratch = makeScratch();
      scratch.writeProject({ [key]: path });
      expect(() => scratch.resolve(), path).toThrow(`which is outside ${scratch.project}`);
    }
  });

  it('also not through a symbolic link, even a dangling link', () => {
    const scratch = makeScratch();
    symlinkSync(scratch.home, join(scratch.project, 'out'));
    scratch.writeProject({ report: 'out/run.json' });
    expect(() => scratch.resolve()).toThrow(/leads through the symbolic link .*\/out$/);
    symlinkSync(join(scratch.home, 'new'), join(scratch.project, 'run.json'));
    scratch.writeProject({ report: 'run.json' });
    expect(() => scratch.resolve()).toThrow(/symbolic link/);
  });

  it('names below the project are fine, whatever they contain', () => {
    const scratch = makeScratch();
    scratch.writeProject({ report: '..run/..json', logDir: '.' });
    expect(scratch.resolve().settings).toMatchObject({
      report: join(scratch.project, '..run', '..json'),
      logDir: scratch.project,
    });
  });

  it('a person may name any file', () => {
    const scratch = makeScratch();
    scratch.writeUser({ report: '/somewhere/run.json' });
    expect(scratch.resolve({ junit: '../run.xml' }).settings).toMatchObject({
      report: '/somewhere/run.json',
      junit: join(scratch.project, '..', 'run.xml'),
    });
  });
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeReports } from '../../../src/run/report/write-reports.js';
import { findTool } from '../../support/find-tool.js';
import { reportWith, stuckReport } from './sample-report.js';

const mkfifo = findTool('mkfifo');
let dir = '';
beforeEach(() => {
  dir = fs.mkdtempSync(join(tmpdir(), 'unstuck-report-'));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const at = (name: string) => join(dir, name);
const modeOf = (file: string) => fs.statSync(file).mode & 0o777;

describe('writing reports', () => {
  it('every format that was asked for, in directories that are made', () => {
    const targets = { json: at('a/b/report.json'), junit: at('a/junit.xml'), markdown: at('report.md') };
    expect(writeReports(stuckReport, targets)).toEqual([]);
    expect(JSON.parse(fs.readFileSync(targets.json, 'utf8'))).toEqual(stuckReport);
    expect(fs.readFileSync(targets.junit, 'utf8')).toMatch(/^<\?xml/);
    expect(fs.readFileSync(targets.markdown, 'utf8')).toMatch(/^## ✗/);
    expect(fs.readdirSync(dir).sort()).toEqual(['a', 'report.md']);
  });

  it('what the user asked for has the usual rights, what lies in a run directory is the owner’s only', () => {
    const before = process.umask();
    writeReports(stuckReport, { json: at('asked.json') });
    writeReports(stuckReport, { json: at('kept.json') }, { ownerOnly: true });
    expect(modeOf(at('asked.json'))).toBe(0o666 & ~before);
    expect(modeOf(at('kept.json'))).toBe(0o600 & ~before);
  });

  it('a target that cannot be written is a warning, and the others are written', () => {
    fs.writeFileSync(at('file'), '');
    const warnings = writeReports(stuckReport, {
      json: dir,
      junit: at('file/x.xml'),
      markdown: at('report.md'),
    });
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toContain(`cannot write the JSON report to ${dir}: EISDIR`);
    expect(warnings[1]).toContain('ENOTDIR');
    expect(fs.existsSync(at('report.md'))).toBe(true);
  });

  it('a report that was there is replaced whole, a link to it stays a link', () => {
    fs.writeFileSync(at('real.xml'), 'x'.repeat(100_000));
    fs.symlinkSync('real.xml', at('link.xml'));
    expect(writeReports(reportWith(), { junit: at('link.xml') })).toEqual([]);
    expect(fs.lstatSync(at('link.xml')).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(at('real.xml'), 'utf8')).toMatch(/^<\?xml[\s\S]*<\/testsuites>\n$/);
  });

  it.skipIf(mkfifo === null)(
    'a pipe is written to and stays a pipe; a pipe without a reader is a warning and no hang',
    () => {
      execFileSync(mkfifo ?? '', [at('pipe')]);
      expect(writeReports(stuckReport, { json: at('pipe') })[0]).toContain('ENXIO');
      expect(writeReports(stuckReport, { githubSummary: at('pipe') })[0]).toContain('ENXIO');
      const reader = fs.openSync(at('pipe'), 'r+');
      try {
        expect(writeReports(stuckReport, { json: at('pipe') })).toEqual([]);
        const text = Buffer.alloc(65_536);
        expect(JSON.parse(text.toString('utf8', 0, fs.readSync(reader, text)))).toEqual(stuckReport);
      } finally {
        fs.closeSync(reader);
      }
      expect(fs.statSync(at('pipe')).isFIFO()).toBe(true);
    },
  );

  it('the summary for GitHub is added to what is there, until it is full', () => {
    const file = at('summary.md');
    fs.writeFileSync(file, 'a step before us');
    expect(writeReports(stuckReport, { githubSummary: file })).toEqual([]);
    expect(fs.readFileSync(file, 'utf8')).toMatch(/^a step before us\n## ✗ npm test/);
    fs.writeFileSync(file, 'x'.repeat(1024 * 1024 - 10));
    expect(writeReports(stuckReport, { githubSummary: file })[0]).toContain('full');
    expect(fs.statSync(file).size).toBe(1024 * 1024 - 10);
  });

  it('nothing asked for, nothing written; an empty name is no target', () => {
    expect(writeReports(stuckReport, { json: undefined, githubSummary: '' })).toEqual([]);
    expect(fs.readdirSync(dir)).toEqual([]);
  });
});

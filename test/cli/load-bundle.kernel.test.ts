import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cliPath } from '../support/run-cli.js';

/** Says whether V8 took what was compiled when the bundle was built. */
const witness = `const vm=require('node:vm'),{Script}=vm;vm.Script=class extends Script{constructor(...words){super(...words);
process.stderr.write('refused: '+this.cachedDataRejected+'\\n');}};`;

let base: string;

beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'unstuck-test-'));
  cpSync(path.dirname(cliPath), path.join(base, 'dist'), { recursive: true });
  cpSync(path.resolve(import.meta.dirname, '../../package.json'), path.join(base, 'package.json'));
  writeFileSync(path.join(base, 'witness.cjs'), witness);
});

afterEach(() => rmSync(base, { recursive: true, force: true }));

function echo(): { stdout: string; stderr: string } {
  const words = ['--require', path.join(base, 'witness.cjs'), path.join(base, 'dist/cli.cjs'), 'run'];
  const script = 'exec "$@" 2>"$0"';
  const stderr = path.join(base, 'stderr');
  const stdout = execFileSync(
    'sh',
    ['-c', script, stderr, process.execPath, ...words, '--', 'echo', 'passed on'],
    {
      env: { ...process.env, UNSTUCK_HOME: path.join(base, 'home') },
    },
  );
  return { stdout: stdout.toString(), stderr: execFileSync('cat', [stderr]).toString() };
}

function caches(): string[] {
  const chunks = path.join(base, 'dist/chunks');
  return readdirSync(chunks).flatMap((name) => (name.endsWith('.cache') ? [path.join(chunks, name)] : []));
}

describe('J4: what was compiled when it was built', () => {
  it('is taken', () => {
    expect(echo()).toEqual({ stdout: 'passed on\n', stderr: 'refused: false\n' });
  });

  it.each([
    ['not there', (file: string) => rmSync(file), 'undefined'],
    ['empty', (file: string) => truncateSync(file), 'true'],
    ['cut short', (file: string) => truncateSync(file, 1000), 'true'],
    ['something else', (file: string) => writeFileSync(file, Buffer.alloc(100_000, 'x')), 'true'],
  ])('costs time only when it is %s', (_name, spoil, refused) => {
    for (const file of caches()) spoil(file);
    expect(echo()).toEqual({ stdout: 'passed on\n', stderr: `refused: ${refused}\n` });
  });
});

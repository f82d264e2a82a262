import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { daemonArgv } from '../../src/control/client/start-daemon.js';
import { removeDirectory } from '../support/remove-directory.js';
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

afterEach(() => removeDirectory(base));

function heard(words: readonly string[]): { stdout: string; stderr: string } {
  const stderr = path.join(base, 'stderr');
  const stdout = execFileSync('sh', ['-c', 'exec "$@" 2>"$0"', stderr, ...words], {
    env: {
      ...process.env,
      UNSTUCK_HOME: path.join(base, 'home'),
      UNSTUCK_DAEMON_IDLE: '100ms',
      NODE_OPTIONS: `--require ${path.join(base, 'witness.cjs')}`,
    },
  });
  return { stdout: stdout.toString(), stderr: readFileSync(stderr, 'utf8') };
}

const cli = () => path.join(base, 'dist/cli.cjs');
const echo = () => heard([process.execPath, cli(), 'run', '--', 'echo', 'passed on']);

function caches(): string[] {
  const chunks = path.join(base, 'dist/chunks');
  return readdirSync(chunks).flatMap((name) => (name.endsWith('.cache') ? [path.join(chunks, name)] : []));
}

describe('what was compiled when it was built', () => {
  it('is taken', () => {
    expect(echo()).toEqual({ stdout: 'passed on\n', stderr: 'refused: false\n' });
    expect(heard([process.execPath, cli(), '--version']).stderr).toBe('refused: false\n');
    // A daemon is started with flags of its own, which V8 minds.
    expect(heard(daemonArgv(process.execPath, cli()))).toEqual({ stdout: '', stderr: 'refused: false\n' });
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

import { chmodSync, cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runAsUser } from '../../bench/hangs/as-user.js';
import { removeDirectory } from '../support/remove-directory.js';
import { resultOf, right, savedRunOf, stuckCase } from './hang-results.js';

const run = savedRunOf([resultOf(stuckCase, right)]);
const results = 'bench/results/2026-01-02-hangs-user.json';

/** Does what its arguments name, in the place of the benchmark, as the user that started it. */
const standIn = `
import { symlinkSync, writeFileSync } from 'node:fs';
const [what, text] = process.argv.slice(2);
if (process.getuid() === 0) process.exit(9);
if (what === 'save') writeFileSync('${results}', text);
if (what === 'link') symlinkSync(text, '${results}');
process.exitCode = 1;
`;

describe.skipIf(process.getuid?.() !== 0)('the hang benchmark without the rights of root', () => {
  let parent: string;
  let root: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'unstuck-as-user-'));
    chmodSync(parent, 0o711);
    // A directory of its own: only what this benchmark leaves behind is seen.
    vi.stubEnv('TMPDIR', parent);
    root = join(parent, 'checkout');
    for (const dir of ['bench/hangs', 'bench/results']) mkdirSync(join(root, dir), { recursive: true });
    cpSync(resolve(import.meta.dirname, '../../scripts'), join(root, 'scripts'), { recursive: true });
    writeFileSync(join(root, 'bench/hangs/run.mjs'), standIn);
    vi.spyOn(console, 'log').mockImplementation(() => {});
  });

  afterEach(async () => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
    await removeDirectory(parent);
  });

  test('runs as another user, returns what was saved, and removes the copy', async () => {
    const { exitCode, saved } = await runAsUser(root, ['save', JSON.stringify(run)]);
    expect(exitCode).toBe(1);
    expect(saved).toEqual(JSON.parse(JSON.stringify(run)));
    expect(readdirSync(join(root, 'bench/results'))).toEqual([]);
    expect(readdirSync(parent)).toEqual(['checkout']);
  });

  test('what an earlier run saved is not taken for its own', async () => {
    writeFileSync(join(root, results), JSON.stringify(run));
    expect(await runAsUser(root, ['nothing'])).toEqual({ exitCode: 1, saved: null });
  });

  test('a link is not followed, and what is no result is refused', async () => {
    const secret = join(parent, 'of-root.json');
    writeFileSync(secret, JSON.stringify(run), { mode: 0o600 });
    await expect(runAsUser(root, ['link', secret])).rejects.toThrow('ELOOP');
    await expect(runAsUser(root, ['save', '{}'])).rejects.toThrow();
  });
});

import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { removeDirectory } from '../../support/remove-directory.js';
import { runAs } from '../../support/run-as.js';

const program = new URL('./launch-background-cwd.program.ts', import.meta.url);
const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'];

describe('the directory of a command', () => {
  it.each([
    ['/no/such/place', 'no such directory: /no/such/place'],
    ['/etc/passwd', 'not a directory: /etc/passwd'],
    ['/etc/passwd/there', 'not a directory: /etc/passwd/there'],
  ])('%s', async (cwd, message) => {
    expect(await runAs([], program, cwd)).toEqual({ code: 'bad-input', message });
  });

  it('a directory that may not be entered is reported as such', async () => {
    const base = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
    onTestFinished(async () => {
      chmodSync(base, 0o700);
      await removeDirectory(base);
    });
    const inside = path.join(base, 'inside');
    mkdirSync(inside);
    chmodSync(base, 0o000);
    const before = process.getuid?.() === 0 ? asNobody : [];
    for (const cwd of [base, inside]) {
      const message = `no permission to enter the directory ${cwd}`;
      expect(await runAs(before, program, cwd)).toEqual({ code: 'bad-input', message });
    }
  });
});

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { shimSource } from '../../../src/run/launch/shim.js';
import { fixedDescriptors as fd } from '../../../src/run/launch/shim-descriptors.js';
import { removeDirectory } from '../../support/remove-directory.js';

test.each(['sh', 'bash'])(
  '%s: a supervisor that was killed before the command began ends nothing',
  (shell) => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-shim-'));
    onTestFinished(() => removeDirectory(directory));
    const exit = path.join(directory, 'exit');
    fs.writeFileSync(exit, `${' '.repeat(15)}\n`);
    // The descriptor of the supervisor is a pipe whose reader is gone.
    const script = `{
  trap : PIPE
  while echo x 2>/dev/null; do :; done
  trap - PIPE
  ${shell} -c 'eval "$UNSTUCK_SHIM"' unstuck "$1" cat setsid 1 run_1 '' head stty '' sh -c 'echo ran; exit 3' ${fd.control}>&1 >/dev/null
} | true`;
    const env = { ...process.env, UNSTUCK_SHIM: shimSource({ fd }) };
    execFileSync('sh', ['-c', script, 'sh', directory], { env });
    expect(fs.readFileSync(path.join(directory, 'output.log'), 'utf8')).toBe('ran\n');
    expect(fs.readFileSync(exit, 'utf8').trim()).toBe('3');
    expect(fs.readFileSync(path.join(directory, 'shell-said'), 'utf8')).toBe('');
  },
);

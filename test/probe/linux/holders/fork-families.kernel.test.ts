import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readlinkSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { ForkFamilies } from '../../../../src/probe/linux/holders/fork-families.js';
import { liveFiles } from '../../../../src/probe/linux/kernel/live-files.js';
import { findTool } from '../../../support/find-tool.js';

/** It prints its number and that of a grandchild whose parent has ended; both end with its input. */
const program = `
import os, sys
r, w = os.pipe()
if os.fork() == 0:
    if os.fork() == 0:
        os.write(w, str(os.getpid()).encode() + b'\\n')
        sys.stdin.read()
    os._exit(0)
os.wait()
print(os.getpid(), os.read(r, 99).decode().strip(), flush=True)
sys.stdin.read()
`;

test.skipIf(findTool('python3') === null)(
  'a family is found after the process between has ended',
  async () => {
    const python = ['python3', '-c', program] as const;
    const [one, other] = [0, 1].map(() =>
      spawn(python[0], python.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] }),
    );
    if (one === undefined || other === undefined) throw new Error('not started');
    const numbersOf = async ({ stdout }: typeof one): Promise<number[]> => {
      const [line] = await once(createInterface(stdout), 'line');
      return String(line).split(' ').map(Number);
    };
    try {
      const [[root = 0, grandchild = 0], [stranger = 0]] = [await numbersOf(one), await numbersOf(other)];
      const families = new ForkFamilies(liveFiles);
      const exe = readlinkSync(`/proc/${root}/exe`);
      expect(families.of(root, exe)).toEqual(new Set([root, grandchild]));
      expect(families.of(grandchild, exe)).toEqual(new Set([root, grandchild]));
      expect(families.of(stranger, exe)).not.toContain(root);
    } finally {
      for (const child of [one, other]) {
        child.stdin.end();
        if (child.exitCode === null) await once(child, 'exit');
      }
    }
  },
);

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { childrenOf, cpuMs, memoryOf, read, shimOf } from '../../bench/process-cost.js';
import { patienceMs } from '../support/patience.js';

/** A supervisor, its shim (in its own session, with a helper) and the command (in one more). All end with fd 3. */
const tree = `setsid sh -c 'cat <&3 & setsid cat <&3; wait'; :`;

const nameOf = (pid: number) => read(`/proc/${pid}/comm`).trim();

describe('what a process costs', () => {
  test('work counts as CPU time', () => {
    const before = cpuMs(process.pid);
    const endMs = performance.now() + patienceMs;
    // The kernel counts from time to time.
    while (cpuMs(process.pid) <= before && performance.now() < endMs);
    expect(cpuMs(process.pid)).toBeGreaterThan(before);
  });

  test('the shim consists of the processes in the session of the first child, without the command', async () => {
    const supervisor = spawn('sh', ['-c', tree], { stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
    const ended = once(supervisor, 'exit');
    try {
      const pid = supervisor.pid as number;
      const shimsChildren = () => childrenOf(childrenOf(pid)[0] ?? -1).map(nameOf);
      await expect.poll(shimsChildren, { timeout: patienceMs }).toEqual(['cat', 'cat']);
      const shim = shimOf(pid);
      expect(shim.map(nameOf)).toEqual(['sh', 'cat']);
      const { residentBytes, privateBytes } = memoryOf(shim);
      expect(privateBytes).toBeGreaterThan(0);
      expect(residentBytes).toBeGreaterThan(privateBytes);
    } finally {
      (supervisor.stdio[3] as Writable).end();
      await ended;
    }
  });

  test('a process that is gone has no memory and no shim', () => {
    expect([memoryOf([2 ** 30]), shimOf(2 ** 30)]).toEqual([{ residentBytes: 0, privateBytes: 0 }, []]);
  });
});

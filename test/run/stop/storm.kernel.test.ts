import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { terminate } from '../../../src/run/stop/terminate.js';
import { compile } from '../../support/compile.js';
import { isSecondPass } from '../../support/second-pass.js';
import { isAlive, startCanary, startRun, until } from './start-run.js';

const cwd = tmpdir();

// A storm keeps every core busy. Others are in many.kernel.test.ts, orphans/stop and cli/commands/run/ending.
it.each(isSecondPass ? [1] : [1, 2])(
  'a fork storm leaves no survivor, and a stranger beside it gets no signal (%i)',
  async () => {
    const argv = [await compile('tree/storm'), '126'];
    const canary = await startCanary(argv, { cwd });
    const { scan } = await startRun(argv, { cwd });
    let before = scan.scan();
    await until(() => {
      before = scan.scan();
      return before.length > 50;
    }, 'the storm has grown');

    const receipt = await terminate({ scan, signal: 'SIGTERM', graceMs: 50 });

    expect(receipt.survivors).toEqual([]);
    expect(receipt.processes.length).toBeGreaterThan(50);
    expect(receipt.processes.map(({ pid }) => pid)).not.toContain(canary.pid);
    expect(before.filter(isAlive)).toEqual([]);
    expect(receipt.processes.filter(isAlive)).toEqual([]);
    expect(scan.scan({ fresh: true })).toEqual([]);
    expect(await canary.heard()).toEqual([]);
  },
);

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { monitorOn } from '../../../src/control/watchdog/monitor.js';
import type { MonitorEvent } from '../../../src/model/monitor.js';
import { until } from '../../support/background-home.js';

describe('the health of a process of another place', () => {
  test('is reported with the verdict of a capture, until the process ends', async () => {
    const child = spawn('sh', ['-c', 'cat; :'], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
    const pid = child.pid ?? -1;
    const below = () => fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const isCat = () => below() !== '' && fs.readFileSync(`/proc/${below()}/comm`, 'utf8') === 'cat\n';
    await until(isCat, 'cat runs');
    const events: MonitorEvent[] = [];
    const monitor = await monitorOn('via:env', pid, {
      sample: '200ms',
      silence: '1s',
      onEvent: (event) => {
        events.push(event);
        if (event.kind === 'health' && event.diagnosis.health !== 'healthy') process.kill(-pid, 'SIGKILL');
      },
    });
    try {
      expect(await monitor.done).toBe('ended');
      expect(events[0]).toMatchObject({ kind: 'started', pid, command: 'sh on via:env' });
      expect(events.find(({ kind }) => kind === 'health')).toMatchObject({
        diagnosis: { verdict: { kind: 'needs-input' } },
      });
      expect(events.at(-1)).toMatchObject({ kind: 'ended' });
    } finally {
      await monitor[Symbol.asyncDispose]();
      child.kill('SIGKILL');
    }
  });

  test('a process that is not there is named with its place', async () => {
    await expect(monitorOn('via:env', 4_000_000)).rejects.toThrow('no process 4000000 on via:env');
  });
});

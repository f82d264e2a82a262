import { describe, expect, it } from 'vitest';
import { askUntil } from '../../support/ask-until.js';
import { ownHome, until } from '../../support/background-home.js';

const quick = { options: { sample: '200ms' } };

describe.concurrent('a reader of all runs', () => {
  it('gets a new run, its output and its end within a second or so, and its samples after that', async () => {
    const home = ownHome();
    const first = await home.call('changes', {});
    expect(first).toMatchObject({ whole: true, runs: [], removed: [] });
    const { id } = await home.start(['sh', '-c', 'read line; echo "got $line"; read end'], {
      ...quick,
      input: 'pipe',
    });
    const seen: string[] = [];
    let since = first.cursor;
    const follow = async (isDone: () => boolean) => {
      while (!isDone()) {
        const { runs, cursor, whole } = await home.call('changes', { since, timeoutS: 10 });
        expect(whole).toBe(false);
        since = cursor;
        for (const run of runs) seen.push(`${run.status}: ${run.lastLine}`);
      }
    };
    await follow(() => seen.includes('running: '));
    await home.call('submit', { id, data: 'hello' });
    await follow(() => seen.includes('running: got hello'));
    await until(async () => {
      const { runs } = await home.call('samples', { ids: [id, 'run_000000000000'] });
      return runs.length === 1 && (runs[0]?.outputBytes.at(-1) ?? 0) >= 'got hello\n'.length;
    }, 'a sample after the output');
    await home.call('close', { id });
    await follow(() => seen.includes('exited: got hello'));
    const { runs } = await home.call('samples', { ids: [id], last: 1 });
    expect(runs[0]?.cpuPercent).toHaveLength(1);
  });

  it('stops a part of a run, and the rest goes on', async () => {
    const home = ownHome();
    const { id, pid } = await home.start(
      ['sh', '-c', 'sh -c "sleep 1000 & sleep 1001"; echo went on; sleep 1002'],
      quick,
    );
    const { why } = await import('../../../src/control/why.js');
    const { nodes } = await askUntil(
      async () => (await why(pid ?? 0)).graph,
      (graph) => graph.nodes.filter(({ command }) => /^sleep 100[01]$/.test(command)).length === 2,
    );
    const part = nodes.find((node) => node.pid !== pid && node.command.startsWith('sh -c'));
    const { startTicks } = part ?? {};
    const whole = { id, pid: pid ?? 0, startTicks: startTicks ?? 0 };
    await expect(home.call('killPart', whole)).rejects.toMatchObject({ code: 'bad-input' });
    const { receipt } = await home.call('killPart', { ...whole, pid: part?.pid ?? 0 });
    expect(receipt.processes.map(({ result }) => result)).toEqual(['ended', 'ended', 'ended']);
    await until(async () => {
      const { runs } = await home.call('list', {});
      return runs[0]?.lastLine === 'went on' && runs[0].status === 'running';
    }, 'the rest goes on');
    const again = home.call('killPart', { ...whole, pid: part?.pid ?? 0 });
    await expect(again).rejects.toMatchObject({ code: 'process-ended' });
  });
});

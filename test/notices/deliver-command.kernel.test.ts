import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../support/background-home.js';
import { patienceMs } from '../support/patience.js';
import { DeliverHome, notice, runId } from './deliver-home.js';

let home: DeliverHome;

beforeEach(() => {
  home = new DeliverHome();
});

afterEach(() => home.end());

/** A live process whose number a command has written down. */
function isThere(pid: string | undefined): boolean {
  const stat = `/proc/${pid}/stat`;
  return fs.existsSync(stat) && !fs.readFileSync(stat, 'utf8').includes(') Z ');
}

const seqsIn = (name: string) => home.lines(name).map((line) => JSON.parse(line).seq);

describe('a command gets each notice', () => {
  it('as one line of JSON on a stdin that also /dev/stdin opens, where the run was, with little else', async () => {
    const command =
      'cat /dev/stdin >>got; pwd >where; env | cut -d= -f1 | sort >names; echo "$UNSTUCK_NOTICE_KIND $UNSTUCK_NOTICE_RUN_ID $UNSTUCK_NOTICE_SEQ" >said';
    const deliveries = home.deliveries({ command });
    deliveries.push(notice(3, { kind: 'exit', output: 'a\n"b"\u2028', tags: ['t'], task: 'x', offset: 7 }));
    await until(() => deliveries.pending() === 0, 'delivery');
    const { key, offset, ...told } = notice(3, {
      kind: 'exit',
      output: 'a\n"b"\u2028',
      tags: ['t'],
      task: 'x',
    });
    expect(home.lines('got').map((line) => JSON.parse(line))).toEqual([told]);
    expect([key, offset]).toEqual(['k3', undefined]);
    expect(home.lines('where')).toEqual([fs.realpathSync(home.path)]);
    expect(home.lines('said')).toEqual([`exit ${runId} 3`]);
    const ours = /^(HOME|LANG|PATH|UNSTUCK_NOTICE_(KIND|RUN_ID|SEQ))$/;
    expect(
      home.lines('names').filter((name) => !ours.test(name) && !/^(PWD|OLDPWD|SHLVL|_)$/.test(name)),
    ).toEqual([]);
    expect(fs.readdirSync(home.directory().path)).not.toContain('.notice.json');
  });

  it('in order, one at a time, and nothing twice', async () => {
    const command = 'echo begin >>order; cat >>got; echo end >>order';
    const deliveries = home.deliveries({ command });
    for (let seq = 1; seq <= 15; seq++) deliveries.push(notice(seq));
    deliveries.push(notice(4));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqsIn('got')).toEqual(Array.from({ length: 15 }, (_, at) => at + 1));
    expect(home.lines('order').join(' ')).toBe(Array(15).fill('begin end').join(' '));
    expect(home.delivered().command).toEqual({ seq: 15, givenUp: 0, dropped: 0 });
    const next = home.deliveries({ command });
    next.push(notice(15));
    expect(next.pending()).toBe(0);
  });

  it('a command that fails once gets the notice again after a pause', async () => {
    const command = 'cat >>got; test -e tried || { touch tried; exit 3; }';
    const deliveries = home.deliveries({ command });
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqsIn('got')).toEqual([1, 1]);
    expect(home.clock.sleeps).toEqual([2000]);
    expect(home.warnings()).toEqual([]);
  });

  it('a command that always fails is given up and reported once, and the next notice is tried; secrets are not shown', async () => {
    const command = 'cat >>got; : --token=abcdefghijkl; exit 3';
    const deliveries = home.deliveries({ command });
    for (const seq of [1, 2]) deliveries.push(notice(seq));
    await until(() => deliveries.pending() === 0, 'the end of it');
    expect(seqsIn('got')).toEqual([1, 1, 2, 2]);
    expect(home.warnings()).toEqual([
      'notices to the command "cat >>got; : --token=*** exit 3": it ended with exit code 3',
    ]);
    const next = home.deliveries({ command });
    next.push(notice(3));
    await until(() => next.pending() === 0, 'the end of it');
    expect(home.warnings().length).toBe(1);
    expect(home.delivered().command).toEqual({ seq: 3, givenUp: 3, dropped: 0 });
  });

  it('a command that hangs is stopped with all that it started, also processes that ignore SIGTERM', async () => {
    const command = `trap '' TERM; echo $$ >>pids; (trap '' TERM; sh -c 'echo $$ >>pids; sleep 1000'; sleep 1000) & wait`;
    const deliveries = home.deliveries({ command }, { commandMs: 10_000 });
    deliveries.push(notice(1));
    await until(() => deliveries.pending() === 0, 'the end of it');
    expect(home.warnings()[0]).toMatch(/did not end within 10 s/);
    const pids = home.lines('pids');
    expect(pids.length).toBeGreaterThan(1);
    expect(pids.filter(isThere)).toEqual([]);
  });

  it.each([
    ['floods its output', 'yes | head -c 20000000; cat >>got'],
    ['reads nothing', 'exec <&-; echo "{\\"seq\\":1}" >>got'],
    ['leaves something in the background that holds what it has', 'cat >>got; sleep 0.5 &'],
  ])('a command that %s does not hold up the delivery', async (_, command) => {
    const deliveries = home.deliveries({ command });
    deliveries.push(notice(1, { output: 'x'.repeat(100_000) }));
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqsIn('got')).toEqual([1]);
    expect(home.warnings()).toEqual([]);
  });

  it('a directory that is gone keeps nothing back', async () => {
    const deliveries = home.deliveries({});
    const got = path.join(home.path, 'got');
    const wishes = { command: `cat >>'${got}'`, webhook: null };
    deliveries.add({
      directory: home.directory('run_aaaaaaaaaaaa'),
      cwd: '/nowhere',
      wishes,
      notices: [notice(1, { runId: 'run_aaaaaaaaaaaa' })],
    });
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(seqsIn('got')).toEqual([1]);
  });

  it('at most four at once, whatever the number of runs', async () => {
    const deliveries = home.deliveries({});
    const ids = Array.from({ length: 12 }, (_, at) => `run_${String(at).padStart(12, '0')}`);
    const command = 'mkdir here$$; ls -d here* | wc -l >>count; sleep 0.05; rmdir here$$; echo x >>done';
    for (const [at, id] of ids.entries()) {
      home.add(deliveries, { command }, id);
      deliveries.push(notice(at + 1, { runId: id }));
    }
    await until(() => deliveries.pending() === 0, 'delivery');
    expect(home.lines('done').length).toBe(12);
    const most = Math.max(...home.lines('count').map(Number));
    expect(most).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });

  it('hundreds at once over many runs: all arrive, in order for each', async () => {
    const deliveries = home.deliveries({});
    const ids = Array.from({ length: 10 }, (_, at) => `run_${String(at).padStart(12, '0')}`);
    const command = 'read -r line; echo "$UNSTUCK_NOTICE_SEQ" >>$UNSTUCK_NOTICE_RUN_ID';
    for (const id of ids) home.add(deliveries, { command }, id);
    for (let seq = 1; seq <= 300; seq++) deliveries.push(notice(seq, { runId: ids[seq % 10] ?? '' }));
    await until(() => deliveries.pending() === 0, 'delivery');
    for (const [at, id] of ids.entries()) {
      const expected = Array.from({ length: 30 }, (_, n) => String(n * 10 + (at === 0 ? 10 : at)));
      expect(home.lines(id)).toEqual(expected);
    }
  });

  it('too many notices for a command: the oldest matches are dropped, never the end', async () => {
    const command =
      'test "$UNSTUCK_NOTICE_SEQ" != 1 || until test -e go; do sleep 0.05; done; test "$UNSTUCK_NOTICE_KIND" = match || cat >>got';
    const deliveries = home.deliveries({ command });
    deliveries.push(notice(1));
    deliveries.push(notice(2, { kind: 'exit' }));
    deliveries.push(notice(3, { kind: 'stuck' }));
    for (let seq = 4; seq <= 1010; seq++) deliveries.push(notice(seq));
    expect(deliveries.pending()).toBe(1000);
    expect(home.delivered().command.dropped).toBe(10);
    expect(home.warnings()).toEqual([expect.stringContaining('more than 1000 notices waited')]);
    fs.writeFileSync(path.join(home.path, 'go'), '');
    await until(() => home.lines('got').length === 2, 'what is no match');
    expect(seqsIn('got')).toEqual([2, 3]);
  });
});

describe('an orderly end', () => {
  it('what is under way may end; the rest is for the next daemon', async () => {
    const command = 'touch begun; sleep 0.3; cat >>got';
    const deliveries = home.deliveries({ command });
    for (const seq of [1, 2]) deliveries.push(notice(seq));
    await until(() => fs.existsSync(path.join(home.path, 'begun')), 'its start');
    await deliveries.close(patienceMs);
    expect(seqsIn('got')).toEqual([1]);
    expect(home.delivered().command.seq).toBe(1);
    const next = home.deliveries({ command });
    for (const seq of [1, 2]) next.push(notice(seq));
    await until(() => next.pending() === 0, 'the rest');
    expect(seqsIn('got')).toEqual([1, 2]);
  });

  it('what takes too long is stopped, and delivered again later', async () => {
    const command = 'echo $$ >>pids; test -e go || exec sleep 1000; cat >>got';
    const deliveries = home.deliveries({ command });
    deliveries.push(notice(1));
    await until(() => home.lines('pids').length === 1, 'its start');
    await deliveries.close(50);
    expect(home.lines('pids').filter(isThere)).toEqual([]);
    expect(home.warnings()).toEqual([]);
    fs.writeFileSync(path.join(home.path, 'go'), '');
    const next = home.deliveries({ command });
    next.push(notice(1));
    await until(() => next.pending() === 0, 'delivery');
    expect(seqsIn('got')).toEqual([1]);
  });
});

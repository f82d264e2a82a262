import { describe, expect, it } from 'vitest';
import { forward } from '../../../src/run/stop/forward.js';
import { compile } from '../../support/compile.js';
import { isAlive, startRun, until } from './start-run.js';

/** A child in the leader's group, one in a group and one in a session of its own. */
const family = 'sleep 1000 & set -m; sleep 1001 & set +m; setsid sleep 1002 & echo ready; wait';

async function startFamily() {
  const run = await startRun(['bash', '-c', family]);
  const named = (pid: number) =>
    run.scan.scan({ fresh: 'members' }).find((member) => member.pid === pid)?.name;
  await until(() => {
    const members = run.scan.scan({ fresh: 'members' });
    const own = members.filter(({ pid, session }) => pid === session);
    return members.length === 4 && own.length === 2 && members.every(({ pid }) => named(pid) !== undefined);
  }, 'all are there');
  const members = run.scan.scan();
  const daemon = members.find(({ pid, session }) => pid === session && pid !== run.leader.pid);
  return { ...run, members, daemon };
}

describe('passing a signal on', () => {
  it('Ctrl-C goes to the session of the command, its background groups included', async () => {
    const { scan, members, daemon } = await startFamily();
    const sent = forward(scan, 'SIGINT');
    expect(sent.map(({ pid }) => pid).sort()).toEqual(
      members
        .filter((member) => member !== daemon)
        .map(({ pid }) => pid)
        .sort(),
    );
    expect(sent.every(({ signal, outcome }) => signal === 'SIGINT' && outcome === 'sent')).toBe(true);
    expect(daemon !== undefined && isAlive(daemon)).toBe(true);
  });

  it('SIGTERM goes to all members', async () => {
    const { scan, members } = await startFamily();
    const sent = forward(scan, 'SIGTERM');
    expect(sent.map(({ pid }) => pid).sort()).toEqual(members.map(({ pid }) => pid).sort());
    await until(() => !members.some(isAlive), 'all have ended');
  });

  it('a process that has left the session gets the signal when no other is there', async () => {
    const { scan, members, daemon } = await startFamily();
    for (const { pid } of members) if (pid !== daemon?.pid) process.kill(pid, 'SIGKILL');
    await until(() => members.filter(isAlive).length === 1, 'only the daemon is left');
    expect(forward(scan, 'SIGHUP')).toMatchObject([{ pid: daemon?.pid, signal: 'SIGHUP', outcome: 'sent' }]);
  });

  it('a stopped process is continued so that it gets the signal', async () => {
    const { scan, leader } = await startRun([await compile('tree/crowd'), '0']);
    process.kill(leader.pid, 'SIGSTOP');
    await until(() => scan.scan({ fresh: 'members' })[0]?.state === 'T', 'it is stopped');
    expect(forward(scan, 'SIGINT').map(({ signal }) => signal)).toEqual(['SIGINT', 'SIGCONT']);
    await until(() => !isAlive(leader), 'it has ended');
  });
});

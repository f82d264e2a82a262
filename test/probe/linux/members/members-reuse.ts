// Runs in a pid namespace of its own, where the next number can be chosen.
import { identify } from '../../../../src/probe/linux/identity/identify.js';
import { MemberScan } from '../../../../src/probe/linux/members/members.js';
import { end, start, startAs, uptimeTicks } from '../../../support/reuse-number.js';

const first = await start();
const pid = first.leader.pid ?? -1;
const leader = identify(pid);
if (leader === null) throw new Error('it is gone');
const scan = new MemberScan({ runId: null, leader, shim: null });
const pids = (fresh: boolean) => scan.scan({ fresh }).map((member) => member.pid);
const atFirst = pids(false);
await end(first.leader);
const withoutLeader = pids(false);
process.kill(first.job, 'SIGKILL');
// Its session has the number until then.
while (identify(first.job) !== null) await new Promise(setImmediate);
// A tick of the start time must pass, or the two could not be told apart.
while (uptimeTicks() <= leader.startTicks + 1) await new Promise(setImmediate);
const second = await startAs(pid);
const reused = [pids(false), pids(true)];
await end(second.leader);
const reusedSession = [pids(false), pids(true)];
console.log(
  JSON.stringify({
    atFirst: atFirst.length,
    withoutLeader: withoutLeader.map((member) => member === first.job),
    reused,
    reusedSession,
  }),
);
// The last job holds our end of a pipe; it ends with the namespace.
process.exit();

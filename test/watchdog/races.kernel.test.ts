import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ProcessIdentity } from '../../src/model/facts/identity.js';
import { createSender, type Send } from '../../src/run/stop/send-signal.js';
import { knownProcess } from '../../src/watchdog/subject.js';
import { Sweep } from '../../src/watchdog/sweep.js';
import { Watcher } from '../../src/watchdog/watcher.js';
import { isAlive, startCanary, stateOf, until } from '../run/stop/start-run.js';
import { compile } from '../support/compile.js';
import { FakeClock } from './fake-clock.js';
import { identityOf, startSleepers } from './start-child.js';
import { watcherOptions } from './watcher-options.js';

const idleTimeoutMs = 1000;

const sendForReal = createSender(null);

/** Signals for real, and notes which were sent after it was said that none may be. */
class Witness {
  readonly sent: string[] = [];
  readonly wrong: string[] = [];
  isOver = false;

  readonly send: Send = (to, signal) => {
    const outcome = sendForReal(to, signal);
    if (outcome === 'sent') (this.isOver ? this.wrong : this.sent).push(signal);
    return outcome;
  };
}

function race(who: ProcessIdentity, graceMs: number, onTimeout?: (watcher: Watcher) => void) {
  const clock = new FakeClock();
  const witness = new Witness();
  const subject = knownProcess(who, null, witness.send);
  const watcher = new Watcher(subject, watcherOptions({ idleTimeoutMs, graceMs }), new Sweep(clock));
  watcher.events.on('timeout', () => onTimeout?.(watcher));
  return { clock, watcher, witness };
}

const ways: ((race: { clock: FakeClock; watcher: Watcher }) => unknown)[] = [
  ({ clock, watcher }) => {
    clock.pass(idleTimeoutMs - 1);
    watcher.stop();
    clock.pass(10_000);
  },
  ({ clock, watcher }) => {
    // The time is over, but no poll has come yet.
    clock.lose(idleTimeoutMs);
    watcher.stop();
    clock.pass(10_000);
  },
  ({ clock, watcher }) => {
    watcher.events.prependListener('timeout', () => watcher.stop());
    clock.pass(10_000);
  },
  ({ clock, watcher }) => {
    clock.pass(idleTimeoutMs - 1);
    watcher.activity();
    clock.pass(idleTimeoutMs - 1);
    watcher.noteExit();
    clock.pass(10_000);
  },
];

it('900 times the end and the timeout at once: the end wins, and no process is signalled', async () => {
  const canary = await startCanary([await compile('tree/storm')]);
  const who = identityOf(canary.pid);
  for (let count = 0; count < 900; count += 1) {
    const one = race(who, 0);
    ways[count % ways.length]?.(one);
    expect(one.witness.sent).toEqual([]);
    expect(['stopped', 'exited']).toContain(await one.watcher.done);
  }
  await turn();
  expect(await canary.heard()).toEqual([]);
});

type Moment = (witness: Witness) => unknown;

async function sent(witness: Witness, signal: string): Promise<void> {
  while (!witness.sent.includes(signal)) await turn();
}

/** When stop() comes after the timeout: ever later into the freezing and killing. */
const moments: Moment[] = [
  (witness) => sent(witness, 'SIGTERM'),
  (witness) => sent(witness, 'SIGTERM').then(() => turn()),
  (witness) => sent(witness, 'SIGSTOP'),
  (witness) => sent(witness, 'SIGSTOP').then(() => delay(1)),
  (witness) => sent(witness, 'SIGSTOP').then(() => delay(5)),
  (witness) => sent(witness, 'SIGKILL'),
];

/** What became of a process that is deaf to SIGTERM, when it was called off at some moment. */
async function callOff(who: ProcessIdentity, moment: Moment): Promise<'killed' | 'thawed' | 'untouched'> {
  const { clock, watcher, witness } = race(who, 0);
  clock.pass(idleTimeoutMs);
  await moment(witness);
  watcher.stop();
  witness.isOver = true;
  const how = await watcher.done.catch(() => 'timed-out');
  await watcher[Symbol.asyncDispose]();
  expect(witness.wrong).toEqual([]);
  if (witness.sent.includes('SIGKILL')) {
    await until(() => !isAlive(who), 'the kill has done its work');
    return 'killed';
  }
  expect(how).toBe('stopped');
  expect(['R', 'S'], witness.sent.join()).toContain(stateOf(who.pid));
  return witness.sent.includes('SIGCONT') ? 'thawed' : 'untouched';
}

it('100 times stop() in the middle of the kill: no signal after it, and no process is left frozen', async () => {
  const sleepers = await startSleepers(100, 'deaf');
  const ends = new Set<string>();
  while (sleepers.length > 0) {
    const some = sleepers.splice(0, 10);
    const all = some.map((who, index) => callOff(who, moments[index % moments.length] ?? turn));
    for (const end of await Promise.all(all)) ends.add(end);
  }
  // Both ends of the race were reached.
  expect(ends).toContain('killed');
  expect(ends).toContain('thawed');
});

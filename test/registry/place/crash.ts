import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure } from '../../../src/model/failure.js';
import { BackgroundHome, inherited, until } from '../../support/background-home.js';
import { childrenOf, type SshHost } from '../../support/ssh-host.js';

/** Prints numbered lines, and its input with a word before each line. Ends with 7 after the end of its input. */
const program = `
i=0
while [ $i -lt "$1" ]; do echo "line $i"; i=$((i + 1)); sleep 0.02; done &
while read -r l; do echo "got $l"; done
wait
exit 7`;

/** On a busy machine a place may be out of reach for minutes. */
const endMsMax = 600_000;

/** What may be killed while a run goes on in a host. */
export const victims = ['daemon', 'client', 'server', 'shell', 'follower', 'stall'] as const;

export type Victim = (typeof victims)[number];

function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ');
}

function kill(pid: number | undefined, signal: NodeJS.Signals = 'SIGKILL'): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** sshd has a process for each connection, and below it the shell of the session with its followers. */
function pidsOf(host: SshHost): Record<'server' | 'shell' | 'follower', number[]> {
  const all = childrenOf(host.pid);
  const shells = all.filter((pid) => isShell(pid) && !isShell(Number(statOf(pid)[1])));
  return {
    server: all.filter((pid) => commandOf(pid).startsWith('sshd')),
    shell: shells,
    follower: followersOf(host),
  };
}

function isShell(pid: number): boolean {
  return /^sh -c .*eval "\$\(dd/.test(commandOf(pid));
}

/** A file outlives a follower that was killed, and another process may have its number by now, such as the command. */
function followersOf({ directory }: SshHost): number[] {
  const places = `${directory}/home/state/unstuck/places`;
  const sessions = namesIn(places).filter((name) => name.startsWith('.session'));
  const files = sessions.flatMap((name) => namesIn(`${places}/${name}`).map((file) => `${name}/${file}`));
  return files
    .filter((file) => file.includes('/follower.'))
    .map((file) => textOf(`${places}/${file}`).trim().split(' '))
    .filter(([pid, start]) => start !== undefined && statOf(Number(pid))[19] === start)
    .map(([pid]) => Number(pid));
}

/** Empty: there is no such directory, or not any more. */
function namesIn(directory: string): string[] {
  try {
    return fs.readdirSync(directory);
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The fields after the name. */
function statOf(pid: number): string[] {
  return textOf(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ');
}

function startOf(pid: number): number {
  return Number(statOf(pid)[19]);
}

function targetsOf(victim: Exclude<Victim, 'daemon'>, home: BackgroundHome, host: SshHost): number[] {
  if (victim === 'stall') {
    // The server of a client that was killed may still be there, while the next client connects.
    const since = Math.min(...targetsOf('client', home, host).map(startOf));
    return pidsOf(host).server.filter((pid) => startOf(pid) >= since);
  }
  if (victim !== 'client') return pidsOf(host)[victim].slice(-1);
  return childrenOf(home.daemonPid ?? 0).filter((pid) => commandOf(pid).startsWith('ssh '));
}

/** Kills one thing, as soon as it is there; false: the run has ended before. */
async function strike(
  victim: Victim,
  home: BackgroundHome,
  host: SshHost,
  hasEnded: () => Promise<boolean>,
): Promise<boolean> {
  if (victim === 'daemon') return home.killDaemon();
  // What was seen a moment ago may have ended by itself, after the kill before.
  const hit = async () => {
    const targets = targetsOf(victim, home, host);
    if (victim === 'stall') return targets.length > 0 && (await stall(home, host));
    return targets.filter((pid) => kill(pid)).length > 0;
  };
  let isHit = false;
  await until(async () => {
    isHit = await hit();
    return isHit || (await hasEnded());
  }, `${victim} is there`);
  return isHit;
}

/** Stops the server of the connection until the client is replaced, because the place does not answer in time. */
async function stall(home: BackgroundHome, host: SshHost): Promise<boolean> {
  const clients = targetsOf('client', home, host);
  const hits = new Set<number>();
  await until(() => {
    const isReplaced = targetsOf('client', home, host).every((pid) => !clients.includes(pid));
    // A server that is being started has another process a moment later, which carries the bytes.
    if (!isReplaced)
      for (const pid of targetsOf('stall', home, host)) if (kill(pid, 'SIGSTOP')) hits.add(pid);
    return isReplaced;
  }, 'another client');
  for (const pid of hits) kill(pid, 'SIGCONT');
  return hits.size > 0;
}

export interface CrashResult {
  kills: Record<Victim, number>;
  /** What is wrong; empty: nothing. */
  faults: string[];
}

/** On a busy machine the daemon or the place may not answer in time: the call is refused, and made again. */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  const endMs = performance.now() + endMsMax;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const isLate = error instanceof Failure && /^no-(daemon|place)$/.test(error.code);
      if (!isLate || performance.now() > endMs) throw error;
    }
  }
}

/** Runs one command in a host, writes to it, and kills things meanwhile. Compares everything with the exact model. */
export async function crashRun(
  host: SshHost,
  order: readonly Victim[],
  { lines, inputs, pauseMs }: { lines: number; inputs: number; pauseMs: number },
): Promise<CrashResult> {
  const home = new BackgroundHome();
  Object.assign(home.env, host.env, { UNSTUCK_HOME: home.path, UNSTUCK_PLACE_TIMEOUT: '8s' });
  const kills = Object.fromEntries(victims.map((victim) => [victim, 0])) as Record<Victim, number>;
  let id = '';
  try {
    const { id: started, log } = await patiently(() =>
      home.call('start', {
        command: ['sh', '-c', program, 'crash', String(lines)],
        on: host.name,
        inherit: inherited(home.env),
        input: 'pipe',
      }),
    );
    id = started;
    let struck = 0;
    const writing = (async () => {
      for (let at = 0; at < inputs; at += 1) {
        // Until the last kill there is something to write, so the run goes on until then.
        await until(() => struck * inputs >= at * order.length, 'the next kill', endMsMax);
        const requestId = `in-${at}`;
        await patiently(() => home.call('write', { id, data: `${at}\n` }, { requestId }));
      }
      await patiently(() => home.call('close', { id }, { requestId: 'end' }));
    })();
    // It is waited for below. Until then a failure must not end the program.
    writing.catch(() => {});
    const hasEnded = async () => (await patiently(() => home.call('poll', { id }))).status !== 'running';
    for (const victim of order) {
      await delay(pauseMs * (0.5 + Math.random()));
      if (await strike(victim, home, host, hasEnded)) kills[victim] += 1;
      if (victim === 'daemon') await patiently(() => home.call('list', {}));
      struck += 1;
    }
    await writing;
    await until(hasEnded, 'the end of the run', endMsMax);
    const { exit, status } = await home.call('poll', { id });
    const { logStart } = await home.call('inspect', { id });
    const text = fs.readFileSync(log, 'utf8').slice(logStart);
    return { kills, faults: faultsIn(text, lines, inputs, status, exit?.code ?? null) };
  } catch (error) {
    // A run that did not come to its end counts as well.
    const known = await home.call('poll', { id }).catch(String);
    return { kills, faults: [`${(error as Error).message}: ${JSON.stringify(known)}`] };
  } finally {
    await home.end().catch((error) => console.error(`after the run: ${error}`));
  }
}

function faultsIn(
  text: string,
  lines: number,
  inputs: number,
  status: string,
  code: number | null,
): string[] {
  const of = (word: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith(word))
      .join(' ');
  const model = (word: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${word} ${at}`).join(' ');
  const faults: string[] = [];
  if (of('line') !== model('line', lines)) faults.push(`lines differ: ${of('line').slice(-200)}`);
  if (of('got') !== model('got', inputs)) faults.push(`inputs differ: ${of('got').slice(-200)}`);
  const length = `${model('line', lines)} ${model('got', inputs)} `.length;
  if (Buffer.byteLength(text) !== length) {
    const others = text.split('\n').filter((line) => !/^(line|got) \d+$/.test(line));
    faults.push(`${Buffer.byteLength(text)} bytes instead of ${length}: ${JSON.stringify(others)}`);
  }
  if (status !== 'exited' || code !== 7) faults.push(`${status} with ${code} instead of exited with 7`);
  return faults;
}

/** What is left of a host's runs. */
export function leftIn(host: SshHost): string[] {
  return namesIn(`${host.directory}/home/state/unstuck/places`).filter((name) => !name.startsWith('.'));
}

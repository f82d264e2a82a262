import { isAbsent } from '../../model/facts/absence.js';
import { Failure } from '../../model/failure.js';
import type { MonitorEvent, ProcessMonitor } from '../../model/monitor.js';
import type { CommandOptions } from '../../model/operations/command-options.js';
import { onAbort } from '../../model/own-signal.js';
import { findPlace } from '../../places/find-place.js';
import { Place } from '../../places/place.js';
import { samplePlace } from '../../probe/captures.js';
import { hasProc, noProc, readLink } from '../../probe/machine.js';
import { commandLineOf, identify, programName } from '../../probe/processes.js';
import { redact } from '../../redact/redact.js';
import { PlaceSampler } from '../../run/place/place-sampler.js';
import { printable } from '../../text/printable.js';
import { outputMeter } from '../../watchdog/output-meter.js';
import { TreeMonitor } from '../../watchdog/process-monitor.js';
import { settingsHere } from '../config.js';
import { checkPid } from '../why.js';
import type { SupervisedChild } from './supervise-child.js';

/** The thresholds of `unstuck run`, in the same form (`silence: '10m'`), and options for programs. */
export interface MonitorOptions
  extends Pick<
    CommandOptions,
    | ('preset' | 'sample' | 'activityWindow' | 'silence' | 'escalate' | 'confirm' | 'cpu' | 'io')
    | (
        | 'networkPatience'
        | 'proofSamples'
        | 'expectOutputEvery'
        | 'expectDoneIn'
        | 'stacks'
        | 'heartbeat'
        | 'label'
        | 'projectFile'
      )
  > {
  /** A question of the process can be answered: then it is an event, not a failure. Default: whether its input is a terminal. */
  canAnswer?: boolean | undefined;
  /** A listener that throws is reported as a warning of Node; the monitor goes on. */
  onEvent?: ((event: MonitorEvent) => void) | undefined;
  /** The same as `stop()`. */
  signal?: AbortSignal | undefined;
}

const terminalPath = /^\/dev\/(pts\/\d+|tty)/;

/**
 * Reports the health of a process and everything it started: whether it works, waits or is stuck, and why. It sends no
 * signal, and the process does not notice it. For a child with streams, output counts as activity, and for a pid, any
 * read or write.
 */
export function monitor(target: number | SupervisedChild, options: MonitorOptions = {}): ProcessMonitor {
  const { canAnswer, onEvent, signal, ...flags } = options;
  const { pid, hasPrinted } = subjectOf(target);
  const { settings } = settingsHere(flags);
  if (!hasProc()) throw new Failure('unsupported', noProc.finding, noProc.fix);
  const leader = identify(pid);
  if (leader === null) {
    throw new Failure('no-such-process', `there is no process ${pid}`, 'find a pid with: pgrep -f NAME');
  }
  const command = commandLineOf(pid) ?? programName(pid) ?? String(pid);
  const made = new TreeMonitor({
    leader,
    label: printable(settings.label ?? programName(pid) ?? String(pid)),
    command: redact(command),
    thresholds: settings.thresholds,
    expected: settings.expected,
    heartbeatMs: settings.heartbeatMs,
    stacks: settings.stacks,
    canAnswer: canAnswer ?? hasTerminal(pid),
    hasPrinted,
    onEvent: onEvent ?? (() => {}),
  });
  const release = onAbort(signal, () => made.stop());
  void made.done.then(release);
  if (typeof target === 'object') target.once?.('exit', () => made.check());
  return made;
}

/**
 * The same for a process of another place: its counters are read there by a plain shell, as often as the way there
 * permits. Rejects with a Failure when the place or the process is not there.
 */
export async function monitorOn(
  where: string,
  target: number,
  options: MonitorOptions & { env?: NodeJS.ProcessEnv } = {},
): Promise<ProcessMonitor> {
  const { canAnswer = false, onEvent = () => {}, signal, env = process.env, ...flags } = options;
  const pid = checkPid(target);
  const { settings } = settingsHere(flags);
  const place = new Place(findPlace(where, env), env);
  const run = async (script: string) => (await place.run(script)).stdout;
  const first = await samplePlace([pid], run);
  const name = first?.names.get(pid);
  if (name === undefined)
    throw new Failure(
      'no-such-process',
      `no process ${pid} on ${place.name}`,
      `list them with ps on ${place.name}`,
    );
  const tree = new PlaceSampler(pid, place.address, run);
  await tree.fetch();
  const made = new TreeMonitor({
    leader: { bootId: '', pid, startTicks: tree.startTicks ?? 0 },
    label: printable(settings.label ?? name),
    command: printable(`${name} on ${place.name}`),
    thresholds: settings.thresholds,
    expected: settings.expected,
    heartbeatMs: settings.heartbeatMs,
    stacks: 'none',
    canAnswer,
    hasPrinted: null,
    place: tree,
    onEvent,
  });
  const release = onAbort(signal, () => made.stop());
  void made.done.then(release);
  return made;
}

function subjectOf(target: number | SupervisedChild): { pid: number; hasPrinted: (() => boolean) | null } {
  if (typeof target === 'number') return { pid: checkPid(target), hasPrinted: null };
  const { pid, stdout = null, stderr = null } = target ?? {};
  if (pid === undefined) {
    throw new Failure(
      'bad-input',
      'nothing to monitor: give a process id or a child that was started',
      'for example: monitor(child, { onEvent: console.log })',
    );
  }
  const streams = [stdout, stderr].filter((stream) => stream !== null);
  return { pid: checkPid(pid), hasPrinted: streams.length === 0 ? null : outputMeter(streams) };
}

function hasTerminal(pid: number): boolean {
  const link = readLink(`/proc/${pid}/fd/0`);
  return !isAbsent(link) && terminalPath.test(link);
}

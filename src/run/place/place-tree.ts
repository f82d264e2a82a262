import type { PartRoot, ProcessIdentity } from '../../model/facts/identity.js';
import { Failure } from '../../model/failure.js';
import { type Receipt, receiptResults } from '../../model/run/receipt.js';
import { saidThere } from '../../places/refusals.js';
import type { PlaceSession } from '../../places/session.js';
import { cutBeforeRedact, redact } from '../../redact/redact.js';
import { printable } from '../../text/printable.js';
import type { LeftProcess, StopOptions, Tree } from '../health/tree.js';

export interface PlaceTreeOptions {
  leader: ProcessIdentity;
  session: PlaceSession;
  runId: string;
  /** The place is gone for good, and its processes with it. */
  isLost(): boolean;
}

/** In addition to the grace. */
const stopMsMax = 20_000;
const tenthMs = 100;
const wordCharsMax = 300;

const sessionSignals: ReadonlySet<string> = new Set(['SIGINT', 'SIGQUIT', 'SIGHUP', 'SIGWINCH']);
const treeSignals: ReadonlySet<string> = new Set(['SIGTERM', 'SIGSTOP', 'SIGCONT', 'SIGPIPE']);

/** The processes of a run in a place. Everything is done there, with the identities checked there. */
export class PlaceTree implements Tree {
  readonly leader: ProcessIdentity;
  readonly scan = null;
  readonly #options: PlaceTreeOptions;

  constructor(options: PlaceTreeOptions) {
    this.#options = options;
    this.leader = options.leader;
  }

  stop(options: StopOptions): Promise<Receipt> {
    return this.#stop('', options);
  }

  stopPart({ pid, startTicks }: PartRoot, options: StopOptions): Promise<Receipt> {
    return this.#stop(`${pid}:${startTicks}`, options);
  }

  /** `part`: its topmost process; empty: everything. */
  async #stop(part: string, { graceMs, abort, onSignal }: StopOptions): Promise<Receipt> {
    const startedMs = performance.now();
    const at = new Date().toISOString();
    const tenths = abort?.aborted ? 1 : Math.max(1, Math.ceil(graceMs / tenthMs));
    const lines = await this.#ask(`up_stop ${this.#options.runId} ${tenths} ${part}`, graceMs + stopMsMax);
    const commands = new Map<string, string>();
    for (const { rest } of lines.filter(({ word }) => word === 'command')) {
      const [, who = '', command = ''] = /^(\S+) ?(.*)$/.exec(rest) ?? [];
      commands.set(who, shown(command));
    }
    const processes = lines
      .filter(({ word }) => word === 'process')
      .flatMap(({ rest }) => entryOf(rest, commands));
    if (processes.length > 0) onSignal?.();
    return {
      at,
      tookMs: Math.round(performance.now() - startedMs),
      rounds: Number(lines.find(({ word }) => word === 'rounds')?.rest ?? 1) || 1,
      whole: true,
      processes,
      survivors: processes.filter(({ result }) => result !== 'ended').map(({ pid }) => pid),
      ports: [],
    };
  }

  async forward(signal: NodeJS.Signals): Promise<number[]> {
    const whom = treeSignals.has(signal) ? 'tree' : sessionSignals.has(signal) ? 'session' : 'leader';
    const [line] = await this.#ask(`up_signal ${this.#options.runId} ${signal.slice(3)} ${whom}`);
    return (line?.rest ?? '').split(' ').filter(Boolean).map(Number);
  }

  async freeze(): Promise<boolean> {
    await this.#ask(`up_pause ${this.#options.runId}`);
    return true;
  }

  async resume(): Promise<boolean> {
    await this.#ask(`up_resume ${this.#options.runId}`);
    return true;
  }

  async leftovers(): Promise<LeftProcess[]> {
    const lines = await this.#ask(`up_left ${this.#options.runId}`);
    return lines
      .filter(({ word }) => word === 'process')
      .flatMap(({ rest }) => {
        const [, pid, command = ''] = /^(\d+):\d+ ?(.*)$/.exec(rest) ?? [];
        return pid === undefined ? [] : [{ pid: Number(pid), command: shown(command) || `process ${pid}` }];
      });
  }

  /** The lines of the answer, each with its first word. */
  async #ask(words: string, timeoutMs?: number): Promise<{ word: string; rest: string }[]> {
    const { session } = this.#options;
    if (this.#options.isLost()) return [];
    const { status, text } = await session.request(`up_later ${words}`, timeoutMs);
    if (status !== 0) {
      throw new Failure('no-place', `${session.place.name} failed: ${saidThere(text)}`, 'try again');
    }
    return text.split('\n').map((line) => {
      const [, word = '', rest = ''] = /^(\w+) ?(.*)$/.exec(line) ?? [];
      return { word, rest };
    });
  }
}

function shown(command: string): string {
  return printable(redact(cutBeforeRedact(command.trim(), wordCharsMax)));
}

function entryOf(rest: string, commands: ReadonlyMap<string, string>): Receipt['processes'] {
  const [, who = '', pid, startTicks, result, signals = '-'] = /^((\d+):(\d+)) (\S+) (\S+)$/.exec(rest) ?? [];
  const known = receiptResults.find((one) => one === result);
  if (pid === undefined || known === undefined) return [];
  return [
    {
      pid: Number(pid),
      startTicks: Number(startTicks),
      command: commands.get(who) || `process ${pid}`,
      because: ['run-id'],
      signals: signals === '-' ? [] : signals.split(',').map((name) => `SIG${name}`),
      result: known,
    },
  ];
}

import type { ToolCall } from '../../model/tool.js';
import type { Finding } from '../../model/verdict.js';

export interface OpenCall extends ToolCall {
  /** Monotonic, in milliseconds. */
  beganMs: number;
  /** For the agent when the call ends. */
  hints: string[];
}

/** More calls than an agent makes at once. The oldest is forgotten. */
const callsMax = 64;

/** The tool calls of one agent that have begun and not ended. */
export class OpenCalls {
  readonly #calls = new Map<string, OpenCall>();

  get size(): number {
    return this.#calls.size;
  }

  get all(): OpenCall[] {
    return [...this.#calls.values()];
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** The same call again is a repeated request. */
  begin(call: ToolCall, nowMs: number): void {
    if (this.#calls.has(call.id)) return;
    const [oldest] = this.#calls.keys();
    if (this.#calls.size >= callsMax && oldest !== undefined) this.#calls.delete(oldest);
    this.#calls.set(call.id, { ...call, beganMs: nowMs, hints: [] });
  }

  /** undefined: not known, or ended before. */
  end(id: string): OpenCall | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    return call;
  }

  /** No process of these calls started before. null: there are none. */
  get startedTicks(): number | null {
    return this.size === 0 ? null : Math.min(...this.all.map(({ startedTicks }) => startedTicks));
  }

  /**
   * The call that a stuck part belongs to: one that began before it, of several the one whose command is in the chain, or
   * else the last. undefined: the part is older than all calls.
   */
  of({ root, chain }: Pick<Finding, 'root' | 'chain'>): OpenCall | undefined {
    const possible = this.all.filter(({ startedTicks }) => startedTicks <= root.startTicks);
    const named = possible.filter(({ command }) => chain.some((link) => isOf(link.command, command)));
    return (named.length > 0 ? named : possible).at(-1);
  }
}

/** The command line of a process is cut, and shells quote what they were given. */
function isOf(shown: string, command: string): boolean {
  const [first = ''] = command.trim().split('\n');
  const text = shown.replace(/…$/, '');
  return first !== '' && (text.includes(first) || (text.length > 8 && first.includes(text)));
}

import { type ChildProcess, spawn } from 'node:child_process';
import { createSender } from '../stop/send-signal.js';
import { drainsOf } from './drains.js';

/**
 * Continues the stopped drains when the pipe to this guard closes, even if Unstuck was killed. Arguments: pid and start
 * time pairs.
 */
const guardScript = `cat >/dev/null
while [ $# -gt 1 ]; do
  read -r stat </proc/$1/stat && case $stat in *" $2 "*) kill -CONT "$1" ;; esac
  shift 2
done`;

/**
 * Keeps a command from printing more than is read, as a pipe does by itself: the drain is stopped, the pipe fills up,
 * the command waits. Otherwise all unread output would end up on the disk.
 */
export class HoldBack {
  readonly #shim: number;
  #guard: ChildProcess | null = null;
  #guarded = '';
  isHolding = false;

  constructor(shim: number) {
    this.#shim = shim;
  }

  hold(): void {
    if (!this.isHolding) this.#send('SIGSTOP');
    this.isHolding = true;
  }

  release(): void {
    if (this.isHolding) this.#send('SIGCONT');
    this.isHolding = false;
  }

  close(): void {
    this.release();
    this.#dismiss();
  }

  #dismiss(): void {
    this.#guard?.stdin?.destroy();
    this.#guard?.unref();
    this.#guard = null;
  }

  #send(signal: 'SIGSTOP' | 'SIGCONT'): void {
    const drains = drainsOf(this.#shim);
    const words = drains.flatMap(({ pid, startTicks }) => [String(pid), String(startTicks)]);
    // A cat may have been followed by a tee.
    if (signal === 'SIGSTOP' && words.join() !== this.#guarded) this.#dismiss();
    if (signal === 'SIGSTOP') this.#guarded = words.join();
    // The guard starts before any drain is stopped, because this process may be killed at any moment.
    this.#guard ??= spawn('/bin/sh', ['-c', guardScript, 'sh', ...words], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    }).on('error', () => {});
    const send = createSender(this.#shim);
    for (const drain of drains) send(drain, signal);
  }
}

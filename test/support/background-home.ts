import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type CallOptions, callOperation } from '../../src/control/client/daemon-client.js';
import { livingHolder } from '../../src/control/client/lock-holder.js';
import type { OperationInput, OperationName, OperationOutput } from '../../src/control/operations/table.js';
import { growingPause } from './growing-pause.js';
import { patienceMs } from './patience.js';
import { perTest } from './per-test.js';
import { removeDirectory } from './remove-directory.js';

/** A state home of its own, with its own daemon (that of dist/): nothing of it outlives the test. */
export class BackgroundHome {
  readonly path = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-home-'));
  readonly env: NodeJS.ProcessEnv = { ...process.env, UNSTUCK_HOME: this.path, UNSTUCK_DAEMON_IDLE: '60s' };

  call<Name extends OperationName>(
    name: Name,
    input: OperationInput<Name>,
    options: CallOptions = {},
  ): Promise<OperationOutput<Name>> {
    return callOperation(name, input, { env: this.env, ...options });
  }

  start(command: string[], input: Partial<OperationInput<'start'>> = {}): Promise<OperationOutput<'start'>> {
    return this.call('start', { command, cwd: this.path, inherit: inherited(this.env), ...input });
  }

  /** null: there is none. */
  get daemonPid(): number | null {
    return livingHolder(this.path)?.identity.pid ?? null;
  }

  /** SIGKILL, and gone when this resolves; false: there was none. */
  killDaemon(): Promise<boolean> {
    return killDaemon(this.path);
  }

  end(): Promise<void> {
    return endHome(this.path, this.env);
  }
}

/** The state home of the test that calls, made when it is first asked for. */
export const ownHome = perTest(
  () => new BackgroundHome(),
  (home) => home.end(),
);

async function killDaemon(home: string): Promise<boolean> {
  const pidOf = () => livingHolder(home)?.identity.pid ?? null;
  const pid = pidOf();
  if (pid === null) return false;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
  while (pidOf() === pid) await delay(1);
  return true;
}

/** Stops all runs and the daemon of a state home, and removes everything. */
export async function endHome(home: string, env: NodeJS.ProcessEnv): Promise<void> {
  const hasRuns =
    fs.existsSync(path.join(home, 'runs')) && fs.readdirSync(path.join(home, 'runs')).length > 0;
  const killAll = async () => {
    const { errors } = await callOperation('killAll', {}, { env });
    if (errors[0] !== undefined) throw new Error(errors[0].message);
  };
  try {
    if (hasRuns) await killAll().catch(killAll);
  } finally {
    await killDaemon(home);
    await removeDirectory(home);
  }
}

export function inherited(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** Resolves when the condition holds; throws after a bound. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string,
  boundMs = patienceMs,
): Promise<void> {
  const endMs = performance.now() + boundMs;
  const pause = growingPause(10);
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error(`not within ${boundMs} ms: ${what}`);
    await pause();
  }
}

import http from 'node:http';
import type { ProcessIdentity } from '../../../model/facts/identity.js';
import type { ProcessStacks, RunningTest, StackFrame } from '../../../model/facts/stack.js';
import type { ProcDir } from '../../linux/proc/proc-dir.js';
import { listeningPorts } from '../../linux/sockets/listening-ports.js';
import { isStill, type StackTarget } from '../target.js';
import { InspectorSession } from './inspector-session.js';

/** Questions to Node, as JavaScript that it evaluates; each only reads. */

/** The test that vitest runs in this process, and what keeps the event loop open. */
const stateQuestion = `(() => {
  const titles = (task) => (task === undefined || task === null ? [] : [...titles(task.suite), task.name]);
  const worker = globalThis.__vitest_worker__;
  const task = worker?.current;
  const file = task?.file?.filepath ?? worker?.filepath;
  const handles = typeof process.getActiveResourcesInfo === 'function' ? process.getActiveResourcesInfo() : [];
  return JSON.stringify({ name: task?.type === 'test' ? titles(task).filter(Boolean).join(' > ') : null, file: file ?? null, handles });
})()`;

/** In a context of its own jest keeps \`expect\`, which knows the test. */
const jestQuestion = `(() => {
  const state = typeof expect === 'function' && typeof expect.getState === 'function' ? expect.getState() : null;
  if (state === null || typeof state.testPath !== 'string') return null;
  return JSON.stringify({ name: state.currentTestName ?? null, file: state.testPath });
})()`;

/** The prototype of all event emitters, to which mocha's runner belongs. */
const mochaQuestion = 'Object.getPrototypeOf(Object.getPrototypeOf(process))';

const mochaRunner = `function () {
  const runner = this.find((one) => typeof one.currentRunnable?.fullTitle === 'function');
  const test = runner?.currentRunnable;
  return test === undefined ? null : JSON.stringify({ name: test.state === undefined ? test.fullTitle() : null, file: test.file ?? null });
}`;

/** Closes the port again, and with it the connection that asks. */
const closeQuestion = `void require('node:inspector').close()`;

const usr1Mask = 1n << 9n;
const openMsMax = 2000;
const pollMs = 50;
const answerMsMax = 1500;
const pauseMsMax = 400;
const handlesMax = 32;

/** SIGUSR1 opens the inspector where Node handles it; elsewhere it would end the process. */
export function canAskNode({ runtime, caught, states, tracer }: StackTarget): boolean {
  const handles = (BigInt(`0x${caught}`) & usr1Mask) !== 0n;
  return runtime === 'node' && handles && tracer === 0 && !/[DTtZX]/.test(states);
}

/** Node's own state, read through its inspector, which is closed again. null: Node does not answer. */
export async function askNode(identity: ProcessIdentity, dir: ProcDir): Promise<ProcessStacks | null> {
  const before = new Set(listeningPorts([identity.pid]));
  if (!isStill(dir, identity)) return null;
  process.kill(identity.pid, 'SIGUSR1');
  const url = await findInspector(identity.pid, before);
  if (url === null) return null;
  const session = await InspectorSession.open(url, answerMsMax).catch(() => null);
  if (session === null) return null;
  try {
    return await ask(identity.pid, session);
  } finally {
    await session.evaluate(closeQuestion, { withRequire: true }).catch(() => null);
    session.close();
  }
}

async function ask(pid: number, session: InspectorSession): Promise<ProcessStacks> {
  const contexts = await session.contexts();
  const state = parseAnswer(await session.evaluate(stateQuestion, {}).catch(() => null));
  let test = testOf(state);
  for (const contextId of contexts) {
    if (test !== null) break;
    test = testOf(parseAnswer(await session.evaluate(jestQuestion, { contextId }).catch(() => null)));
  }
  test ??= testOf(parseAnswer(await session.callOnInstances(mochaQuestion, mochaRunner).catch(() => null)));
  const frames = await session.pausedFrames(pauseMsMax);
  // Only its own timers: Node was asleep in its event loop until then.
  const isIdle = frames.every(({ file }) => file === null || file.startsWith('node:'));
  const handles = Array.isArray(state?.handles) ? state.handles.filter((one) => typeof one === 'string') : [];
  return {
    pid,
    threads: isIdle
      ? []
      : [
          {
            pid,
            tid: pid,
            name: 'node',
            language: 'node',
            from: 'inspector',
            frames: frames satisfies StackFrame[],
          },
        ],
    ...(test === null ? {} : { test }),
    handles: handles.slice(0, handlesMax).map((name) => name.slice(0, 100)),
  };
}

/** The answer comes from a program and may contain anything. */
export function parseAnswer(text: unknown): Record<string, unknown> | null {
  if (typeof text !== 'string') return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function testOf(answer: Record<string, unknown> | null): RunningTest | null {
  const file = typeof answer?.file === 'string' ? answer.file.slice(0, 500) : null;
  const name = typeof answer?.name === 'string' ? answer.name.slice(0, 500) : null;
  return name === null ? null : { name, file, line: null, from: 'runner' };
}

async function findInspector(pid: number, before: ReadonlySet<number>): Promise<string | null> {
  const untilMs = performance.now() + openMsMax;
  while (performance.now() < untilMs) {
    // An inspector that was open already is among the ports that were open before.
    const ports = listeningPorts([pid]).filter((port) => !before.has(port) || port === 9229);
    for (const port of ports) {
      const url = await inspectorUrl(port);
      if (url !== null) return url;
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return null;
}

function inspectorUrl(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const request = http.get(
      { host: '127.0.0.1', port, path: '/json/list', timeout: answerMsMax },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (part: string) => {
          text += part;
          if (text.length > 64 * 1024) response.destroy();
        });
        response.on('close', () => {
          const match = /"webSocketDebuggerUrl": ?"(ws:\/\/127\.0\.0\.1:\d{1,5}\/[\w-]{1,100})"/.exec(text);
          resolve(match?.[1] ?? null);
        });
      },
    );
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(null));
  });
}

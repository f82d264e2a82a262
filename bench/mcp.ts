import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { callOperation } from '../src/control/client/daemon-client.js';
import { livingHolder } from '../src/control/client/lock-holder.js';
import { takeTurns, timing } from './measure.js';
import { cpuMs } from './process-cost.js';
import { type Goal, ms, type Table } from './report.js';
import { runToEnd } from './run-to-end.js';
import { withScratch } from './scratch.js';

const firstAnswerMsMax = 250;
const callsPerSMin = 1000;
const atOnce = 32;

interface Answer {
  id?: unknown;
  result?: { isError?: boolean; structuredContent?: { id?: string } };
}

/** A client of its own, so that only the server is measured. */
class Client {
  readonly child: ChildProcess;
  readonly #waiting = new Map<unknown, (answer: Answer) => void>();
  #rest = '';
  #next = 0;

  constructor(cli: string, home: string) {
    const env = { ...process.env, UNSTUCK_HOME: home, UNSTUCK_DAEMON_IDLE: '5s' };
    const stdio = ['pipe', 'pipe', 'inherit'] as const;
    this.child = spawn(process.execPath, [cli, 'mcp', '--when-gone', 'stop'], { env, stdio: [...stdio] });
    this.child.stdout?.on('data', (chunk) => {
      const lines = `${this.#rest}${chunk}`.split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) {
        const answer = JSON.parse(line) as Answer;
        this.#waiting.get(answer.id)?.(answer);
        this.#waiting.delete(answer.id);
      }
    });
  }

  ask(method: string, params: object): Promise<Answer> {
    const id = this.#next++;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  greet(): Promise<Answer> {
    const clientInfo = { name: 'bench', version: '1' };
    return this.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  }

  async call(name: string, input: object): Promise<Answer> {
    const answer = await this.ask('tools/call', { name, arguments: input });
    if (answer.result === undefined || answer.result.isError) throw new Error(JSON.stringify(answer));
    return answer;
  }

  async end(): Promise<void> {
    const ended = once(this.child, 'exit');
    this.child.stdin?.end();
    await ended;
  }
}

/** How soon a server answers, and how many calls it takes. */
export async function benchMcp(
  root: string,
  rounds: number,
  calls: number,
): Promise<{ tables: Table[]; goals: Goal[] }> {
  const cli = join(root, 'dist/cli.cjs');
  return withScratch(root, async (home) => {
    const first: number[] = [];
    const samples = await takeTurns(
      {
        'node -e 0': () => runToEnd(process.execPath, ['-e', '0']),
        'unstuck mcp': async () => {
          const beganMs = performance.now();
          const client = new Client(cli, home);
          await client.greet();
          first.push(performance.now() - beganMs);
          await client.end();
        },
      },
      rounds,
    );
    const node = timing(samples['node -e 0']);
    const answered = timing(first.slice(1));
    const rate = await measureCalls(new Client(cli, home), home, calls);
    return {
      tables: [
        {
          title: 'MCP server',
          note: `${calls} calls of poll, ${atOnce} under way at any time, over one pipe. CPU says what a call costs when the machine is busy with other things.`,
          head: ['', 'min', 'median'],
          rows: [
            ['node -e 0, to its end', ms(node.minMs), ms(node.medianMs)],
            ['first answer after spawn', ms(answered.minMs), ms(answered.medianMs)],
            ['calls a second', '', rate.perS.toFixed(0)],
            ['CPU of the server, a call', '', ms(rate.serverMs)],
            ['CPU of the daemon, a call', '', ms(rate.daemonMs)],
          ],
        },
      ],
      goals: [
        {
          what: 'mcp, first answer after spawn',
          target: `under ${firstAnswerMsMax} ms`,
          measured: ms(answered.medianMs),
          met: answered.medianMs < firstAnswerMsMax,
        },
        {
          what: 'mcp, calls on one connection',
          target: `${callsPerSMin} a second`,
          measured: `${rate.perS.toFixed(0)} a second`,
          met: rate.perS >= callsPerSMin,
        },
      ],
    };
  });
}

async function measureCalls(client: Client, home: string, calls: number) {
  await client.greet();
  const { result } = await client.call('start', { command: ['sleep', '1000'], waitS: 0 });
  const id = result?.structuredContent?.id;
  const daemonPid = livingHolder(home)?.identity.pid ?? 0;
  const serverPid = client.child.pid ?? 0;
  const run = async (count: number) => {
    let left = count;
    const next = async () => {
      while (left-- > 0) await client.call('process', { action: 'poll', id });
    };
    await Promise.all(Array.from({ length: atOnce }, next));
  };
  try {
    await run(Math.ceil(calls / 4));
    const before = { server: cpuMs(serverPid), daemon: cpuMs(daemonPid), atMs: performance.now() };
    await run(calls);
    return {
      perS: (calls / (performance.now() - before.atMs)) * 1000,
      serverMs: (cpuMs(serverPid) - before.server) / calls,
      daemonMs: (cpuMs(daemonPid) - before.daemon) / calls,
    };
  } finally {
    await client.end();
    await callOperation('killAll', {}, { home });
    process.kill(daemonPid, 'SIGTERM');
  }
}

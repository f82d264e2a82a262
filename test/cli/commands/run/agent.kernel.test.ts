import { mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentFacts } from '../../../../src/model/run/agent.js';
import type { RunEvent } from '../../../../src/model/run/run.js';
import { BackgroundHome, until } from '../../../support/background-home.js';
import { compile } from '../../../support/compile.js';
import { removeDirectory } from '../../../support/remove-directory.js';
import { startRunCli } from '../../../support/start-run-cli.js';

const fixtures = fileURLToPath(new URL('../../../fixtures/agents', import.meta.url));

const event = (value: unknown) => `printf '%s\\n' '${JSON.stringify(value)}'`;

const init = event({ type: 'system', subtype: 'init' });
const turn = event({ type: 'assistant', message: { id: 'msg_1', content: [{ type: 'text', text: 'hm' }] } });
const bash = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: {} };
const tool = event({ type: 'assistant', message: { id: 'msg_1', content: [bash] } });
const result = event({ type: 'result', subtype: 'success', result: 'done' });
const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'rm -rf build' } };
const permission = event({ type: 'control_request', request });
const retry = event({ type: 'system', subtype: 'api_retry', attempt: 1, error: 'overloaded' });

const watching = ['--json', '--sample', '200ms', '--agent-patience', '1s', '--grace', '300ms'];
const beating = [...watching, '--heartbeat', '300ms'];
const silent = [...watching, '--heartbeat', '0'];

type Cli = ReturnType<typeof startRunCli>;

const opened: Cli[] = [];

function run(args: string[]): Cli {
  const cli = startRunCli(args);
  opened.push(cli);
  return cli;
}

function health(
  cli: Cli,
  wanted: (diagnosis: Extract<RunEvent, { kind: 'health' }>['diagnosis']) => boolean,
) {
  return cli.until('such a health', () => {
    const found = cli.events.find((event) => event.kind === 'health' && wanted(event.diagnosis));
    return found?.kind === 'health' ? found.diagnosis : null;
  });
}

function agentOf(cli: Cli, wanted: (agent: AgentFacts) => boolean): Promise<AgentFacts> {
  return cli.until('such an agent in a heartbeat', () => {
    const found = cli.events.findLast(
      (event) => event.kind === 'heartbeat' && event.agent !== undefined && wanted(event.agent),
    );
    return found?.kind === 'heartbeat' ? found.agent : null;
  });
}

async function stop(...all: Cli[]): Promise<void> {
  for (const cli of all) cli.child.kill('SIGTERM');
  await Promise.all(all.map(({ done }) => done));
}

describe('agents under unstuck run', () => {
  let dir = '';
  /** A shell that the kernel knows under the name of an agent. */
  let claude = '';
  let nothing = '';

  beforeAll(async () => {
    nothing = await compile('wait-nothing');
    dir = mkdtempSync(path.join(os.tmpdir(), 'unstuck-agent-'));
    claude = path.join(dir, 'claude');
    symlinkSync('/bin/sh', claude);
  });

  // Also when a test fails: what it had started lives on without its supervisor.
  afterEach(() => stop(...opened.splice(0)));

  afterAll(() => removeDirectory(dir));

  it('an agent that lingers after its result is only suspicious; for an agent that sleeps without a result, stream and kernel are evidence', async () => {
    const lingering = run([...silent, '--', claude, '-c', `${turn}; ${result}; exec sleep 600`]);
    const asleep = run([...silent, '--', claude, '-c', `${turn}; ${tool}; exec ${nothing} pause`]);
    expect(await health(lingering, ({ verdict }) => verdict?.kind === 'lingering')).toMatchObject({
      health: 'suspicious',
      confidence: 'low',
      safeToKill: false,
      reason: expect.stringMatching(/^claude has printed its result .* ago and still runs: sleep sleeps/),
      evidence: [expect.stringContaining('claude says: turn 1, result'), expect.stringContaining('sleep(')],
    });
    // With two snapshots in time it is also clear that the tool has no process.
    const found = await health(asleep, ({ reason }) =>
      /^claude has no result and is asleep|the result was lost$/.test(reason),
    );
    // What is certain here is certain for the kernel: it was before anything was said of the stream.
    expect(found).toMatchObject({
      verdict: { kind: 'asleep' },
      evidence: [
        expect.stringMatching(/^claude says: turn 1, tool Bash in flight for .*, no result/),
        expect.stringContaining('pause'),
      ],
    });
    await stop(lingering, asleep);
    expect(lingering.report.agent).toMatchObject({
      name: 'claude',
      turn: 1,
      result: { ok: true, text: 'done' },
    });
    expect(asleep.report.agent).toMatchObject({ tool: { name: 'Bash' }, result: null });
  });

  it('heartbeats while a tool hangs are no output: the idle timeout ends it', async () => {
    const beat = event({ type: 'tool_progress', tool_use_id: 'toolu_1-heartbeat-0', heartbeat: true });
    const script = `${turn}; ${tool}; while sleep 0.1; do ${beat}; done`;
    const hung = run([...silent, '--idle-timeout', '4s', '--', claude, '-c', script]);
    await hung.done;
    expect(hung.report.outcome).toBe('idle-timeout');
    expect(hung.report.agent).toMatchObject({ events: 5, tool: { name: 'Bash' } });
    expect(hung.report.agent?.heartbeats).toBeGreaterThan(2);
  });

  it('a question for permission needs input; a tool with a busy child is only shown; retries are counted', async () => {
    const asking = run([...beating, '--', claude, '-c', `${init}; ${permission}; exec sleep 600`]);
    const busy = run([...beating, '--', claude, '-c', `${turn}; ${tool}; while :; do :; done`]);
    const storm = run([...beating, '--', claude, '-c', `${turn}; while :; do ${retry}; sleep 0.2; done`]);
    const asked = await health(asking, ({ verdict }) => verdict?.kind === 'needs-input');
    expect(asked.reason).toMatch(/^claude asks for permission since .*: "Bash: rm -rf build"$/);
    expect(asked.verdict?.certainty).not.toBe('certain');
    const stormy = await health(storm, ({ reason }) => reason.includes('attempts in a row'));
    expect(stormy).toMatchObject({ health: 'suspicious', confidence: 'low' });
    expect((await agentOf(storm, ({ retries }) => retries > 6)).turn).toBe(1);
    const working = await agentOf(busy, ({ tool }) => (tool?.forMs ?? 0) > 1500);
    expect(working).toMatchObject({ tool: { name: 'Bash' }, toolsInFlight: 1, result: null });
    expect(busy.events.filter(({ kind }) => kind === 'health')).toEqual([]);
    await stop(asking, busy, storm);
  });

  it('the heartbeat shows agent, turn, tool and tokens; an agent is found in a script, named by --agent, and left out with --agent none', async () => {
    const lines = ['--heartbeat', '300ms', '--sample', '200ms', '--grace', '300ms'];
    const stream = (agent: string) => `head -n 4 ${fixtures}/${agent}.jsonl; exec sleep 600`;
    const shown = run([...lines, '--', claude, '-c', `head -n 3 ${fixtures}/claude.jsonl; exec sleep 600`]);
    const none = run([...lines, '--agent', 'none', '--', claude, '-c', stream('claude')]);
    const named = run([...beating, '--agent', 'codex', '--', 'sh', '-c', stream('codex')]);
    const [hidden, inner] = [path.join(dir, 'start.sh'), path.join(dir, 'inner.sh')];
    writeFileSync(hidden, `${claude} ${inner}\necho over\n`);
    writeFileSync(inner, `${turn}\nsleep 600\n`);
    const found = run([...beating, '--', 'sh', hidden]);
    await shown.until('turn, tool and tokens', () =>
      /agent=claude turn=1 tool=Bash\(\d+s\) tokens=1\.3k log=/.test(shown.stderr),
    );
    expect((await agentOf(named, ({ tool }) => tool !== null)).tool?.name).toBe('command_execution');
    expect((await agentOf(found, () => true)).name).toBe('claude');
    await none.until('heartbeats', () => none.stderr.includes('alive t+'));
    expect(none.stderr).not.toContain('agent=');
    await stop(shown, none, named, found);
    expect(none.report.agent).toBeUndefined();
  });

  it('for an agent that prints no events, the flags that help are printed once; its variables are set', async () => {
    const text = run([
      '--heartbeat',
      '200ms',
      '--',
      claude,
      '-c',
      'echo $DISABLE_AUTOUPDATER; exec sleep 600',
    ]);
    const told = () => text.stderr.split('prints no events: with claude --print --output-format stream-json');
    await text.until(
      'its line and two heartbeats after that was said',
      () => text.stdout !== '' && (told().at(1)?.split('alive t+').length ?? 0) > 2,
    );
    expect(told()).toHaveLength(2);
    expect(text.stdout).toBe('1\n');
    await stop(text);
    expect(text.report.agent).toMatchObject({ name: 'claude', events: 0 });
  });

  it('the same for a run in the background', async () => {
    const home = new BackgroundHome();
    try {
      const script = `cat ${fixtures}/claude.jsonl; sleep 600; true`;
      const { id } = await home.start([claude, '-c', script], {
        options: { sample: '200ms', agentPatience: '1s' },
      });
      const why = async () => (await home.call('list', {})).runs[0]?.why ?? '';
      await until(
        async () => /^claude has printed its result .* and still runs/.test(await why()),
        'lingering',
      );
      const { agent } = await home.call('poll', { id });
      expect(agent).toMatchObject({ name: 'claude', result: { ok: true } });
    } finally {
      await home.end();
    }
  });
});

// Plays an agent with one tool: runs its hooks and the tool as claude, codex and gemini do. Arguments: the hook line, and
// JSON { command, beside?, killOn? }. Prints what the tool printed, how it ended, and what the hooks answered.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const [, , hookLine = '', wish = '{}'] = process.argv;
const { command, beside = [], killOn = null, before = null } = JSON.parse(wish);

/** @param {import('node:stream').Readable} stream */
async function textOf(stream) {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

/** Each hook is a shell that leads a session of its own. @param {string} name @param {object} more */
async function hook(name, more = {}) {
  const child = spawn('/bin/sh', ['-c', hookLine], { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const input = { session_id: 's', hook_event_name: name, tool_name: 'Bash', tool_use_id: 'call_1' };
  child.stdin.end(JSON.stringify({ ...input, tool_input: { command }, ...more }));
  const ended = once(child, 'exit');
  const output = await textOf(child.stdout);
  const [code] = await ended;
  return { code, output };
}

// Servers of the agent idle beside its tools, in its own session; tasks in the background lead one of their own.
const idle = beside.map((/** @type {{ command: string, detached: boolean }} */ { command: line, detached }) =>
  spawn('/bin/sh', ['-c', line], { detached, stdio: ['pipe', 'ignore', 'ignore'] }),
);
// What was begun before the call has started by then: clock ticks last ten milliseconds.
await delay(50);
const begun = await hook('PreToolUse');
const startedMs = Date.now();
const tool = spawn('/bin/sh', ['-c', command], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
const ended = once(tool, 'exit');
const output = textOf(tool.stdout);
tool.stderr.resume();
if (before !== null) await hook(before);
let isOver = false;
void ended.then(() => {
  isOver = true;
});
while (killOn !== null && !isOver && !existsSync(killOn)) await delay(20);
if (killOn !== null && !isOver) process.kill(-(tool.pid ?? 0), 'SIGKILL');
const [code, signal] = await ended;
const tookMs = Date.now() - startedMs;
const finished = await hook(code === 0 ? 'PostToolUse' : 'PostToolUseFailure', { tool_response: {} });
for (const child of idle) {
  try {
    process.kill(
      child.spawnargs && child.pid
        ? beside.find((/** @type {any} */ one) => one.detached)
          ? -child.pid
          : child.pid
        : 0,
      'SIGKILL',
    );
  } catch {
    child.kill('SIGKILL');
  }
}
console.log(JSON.stringify({ output: await output, code, signal, tookMs, begun, finished }));

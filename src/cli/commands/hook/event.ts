import fs from 'node:fs';
import { handleHookEvent } from '../../../control/hooks/handle-event.js';
import { logHookFailure } from '../../../control/hooks/log-failure.js';
import type { HookAgent } from '../../../model/tool.js';
import { type PolicyFlags, readPolicy } from './flags.js';

/** The output of a tool is part of the input; agents cut it long before. */
const inputBytesMax = 16 * 1024 * 1024;
/** Whatever happens, the agent does not wait longer: it gives its hooks ten seconds. */
const lifeMs = 9000;
/** An agent sends its event at once. */
const inputMs = 3000;

/** Throws when there is too much. */
async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > inputBytesMax) throw new Error('the event is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** A failure is logged. The agent never sees one. */
async function quietly(work: () => Promise<void>): Promise<void> {
  process.exitCode = 0;
  try {
    await work();
  } catch (error) {
    logHookFailure(error, process.env);
  }
}

/** `unstuck hook event`, called by an agent. */
export async function runHookEvent(agent: HookAgent, flags: PolicyFlags): Promise<void> {
  const giveUp = (what: string) => {
    logHookFailure(new Error(`${agent}: ${what}`), process.env);
    process.exit(0);
  };
  const timer = setTimeout(giveUp, lifeMs, `no end after ${lifeMs} ms`);
  const patience = setTimeout(giveUp, inputMs, `no whole event after ${inputMs} ms`);
  await quietly(async () => {
    const text = await readInput();
    clearTimeout(patience);
    const output = await handleHookEvent(agent, readPolicy(flags), text, process.env);
    if (output !== '') fs.writeSync(1, output);
  });
  clearTimeout(timer);
  clearTimeout(patience);
  // An agent may keep our stdin open.
  process.stdin.destroy();
}

/** `unstuck hook send`: may take its time. */
export function runHookSend(): Promise<void> {
  return quietly(async () => {
    const input = JSON.parse(await readInput());
    const { callDaemon } = await import('../../../control/client/daemon-client.js');
    await callDaemon('toolBegan', input);
  });
}

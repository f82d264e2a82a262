import { createInterface } from 'node:readline/promises';
import {
  type HookPlan,
  type HookTarget,
  type PreparedHook,
  prepareInstall,
  prepareUninstall,
} from '../../../control/hooks/install.js';
import { Failure } from '../../../model/failure.js';
import type { HookAgent } from '../../../model/tool.js';
import { note, printJson, say } from '../../output/print.js';
import { fail } from '../../shared/fail.js';
import { type PolicyFlags, readPolicy } from './flags.js';
import { doneWords, planLines } from './render.js';

interface WriteFlags {
  project?: true | undefined;
  yes?: true | undefined;
  dryRun?: true | undefined;
  json?: true | undefined;
}

const targetOf = (agent: HookAgent, { project }: WriteFlags): HookTarget => ({
  agent,
  project: project === true ? process.cwd() : null,
});

/** Asks at a terminal. Elsewhere --yes is needed. */
async function confirm({ file }: HookPlan): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Failure(
      'bad-input',
      `nothing was written to ${file}: this needs a confirmation`,
      'repeat it with --yes',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D are a no.
    const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = await Promise.race([terminal.question('write it? [y/N] '), closed]);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

async function perform(prepare: () => PreparedHook, flags: WriteFlags, isUninstall = false): Promise<void> {
  const isJson = flags.json === true;
  try {
    const { plan, apply } = prepare();
    if (!isJson) for (const line of planLines(plan, isUninstall)) say(line);
    const isWanted = plan.change !== 'none' && flags.dryRun !== true;
    const isConfirmed = isWanted && (flags.yes === true || (await confirm(plan)));
    if (isConfirmed) apply();
    if (isJson) return printJson({ ...plan, written: isConfirmed });
    if (isWanted && !isConfirmed) return note('nothing was written');
    if (isConfirmed) for (const line of doneWords(plan)) say(line);
  } catch (error) {
    fail(error, isJson);
  }
}

/** `unstuck hook install`. */
export function runHookInstall(agent: HookAgent, flags: WriteFlags & PolicyFlags): Promise<void> {
  return perform(() => prepareInstall(targetOf(agent, flags), readPolicy(flags), process.env), flags);
}

/** `unstuck hook uninstall`. */
export function runHookUninstall(agent: HookAgent, flags: WriteFlags): Promise<void> {
  return perform(() => prepareUninstall(targetOf(agent, flags), process.env), flags, true);
}

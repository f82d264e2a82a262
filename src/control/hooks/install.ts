import path from 'node:path';
import { Failure } from '../../model/failure.js';
import { type HookAgent, type ToolPolicy, toolPolicy } from '../../model/tool.js';
import { privateHome } from '../../store/state-home.js';
import { findCli } from '../client/find-cli.js';
import { type AgentHooks, agentHooks, entriesOf } from './agents.js';
import {
  applyInsertions,
  type Insertion,
  insertHooks,
  oursIn,
  removeOurs,
  takeOut,
  undoInsertions,
  WrongShape,
} from './edit-settings.js';
import { pluginMark } from './opencode-plugin.js';
import { NotJson, parseJsonc, plainValue } from './parse-jsonc.js';
import { type HookReceipt, readReceipts, writeReceipt } from './receipts.js';
import { readSettings, removeSettings, type SettingsFile, writeSettings } from './settings-file.js';

export interface HookTarget {
  agent: HookAgent;
  /** The directory of a project; null: for all projects of the user. */
  project: string | null;
}

/** What will be done to a file. */
export interface HookPlan extends HookTarget {
  file: string;
  /** `none`: it is as it should be. */
  change: 'create' | 'edit' | 'remove' | 'none';
  /** Lines that are added or removed. */
  lines: string[];
  /** What a person must do afterwards; absent: nothing. */
  afterwards?: string;
}

interface Change {
  plan: HookPlan;
  from: SettingsFile;
  /** null: the file goes. */
  to: string | null;
  insertions: Insertion[];
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** The command that handles the events of an agent. */
function eventArgv(
  agent: HookAgent,
  { onStuck, serverAfterMs, sampleMs }: ToolPolicy,
  env: NodeJS.ProcessEnv,
): string[] {
  return [
    ...[process.execPath, findCli(env), 'hook', 'event', agent],
    ...(onStuck === toolPolicy.onStuck ? [] : ['--on-stuck', onStuck]),
    ...(serverAfterMs === toolPolicy.serverAfterMs ? [] : ['--server-after', `${serverAfterMs}ms`]),
    ...(sampleMs === toolPolicy.sampleMs ? [] : ['--sample', `${sampleMs}ms`]),
  ];
}

/** It never fails, even when Unstuck has been removed: agents report hooks that fail. */
const hookLine = (argv: readonly string[]): string => `${argv.map(quoted).join(' ')} 2>/dev/null || :`;

/** Recognises the command of an earlier install. */
export const isOursFor = (agent: HookAgent) => (command: string) =>
  new RegExp(`cli\\.cjs'? hook event ${agent}( |$)`).test(command);

export function fileOf({ agent, project }: HookTarget, env: NodeJS.ProcessEnv): string {
  const hooks = agentHooks[agent];
  return project === null ? hooks.user(env) : path.join(project, hooks.project);
}

function unreadable(file: string, error: unknown): Failure {
  if (error instanceof NotJson)
    return new Failure(
      'bad-config',
      `${file} is not valid JSON: line ${error.line}: ${error.message}`,
      'correct it, then try again; nothing was written',
    );
  if (error instanceof WrongShape)
    return new Failure(
      'bad-config',
      `${file} has something else where hooks belong`,
      '"hooks" is an object with a list for each event; nothing was written',
    );
  throw error;
}

const shown = (text: string): string[] =>
  text
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line.trim() !== '');

/** The text without what an install has added. */
function without(text: string, agent: HookAgent, receipt: HookReceipt | undefined): string {
  const { insertions = [] } = receipt ?? {};
  const isOurs = isOursFor(agent);
  const undone = insertions.length === 0 ? null : undoInsertions(text, insertions);
  if (undone !== null) return undone;
  const taken = insertions.length === 0 ? null : takeOut(text, insertions);
  return taken !== null && isFree(taken, isOurs) ? taken : removeOurs(text, isOurs);
}

/** Still valid, and without anything of ours. */
function isFree(text: string, isOurs: (command: string) => boolean): boolean {
  try {
    return oursIn(text, isOurs).length === 0;
  } catch {
    return false;
  }
}

function isEmpty(text: string): boolean {
  const node = parseJsonc(text);
  return node === null || JSON.stringify(plainValue(node)) === '{}';
}

function planInstall(target: HookTarget, policy: ToolPolicy, env: NodeJS.ProcessEnv): Change {
  const hooks: AgentHooks = agentHooks[target.agent];
  const file = fileOf(target, env);
  const from = readSettings(file);
  const argv = eventArgv(target.agent, policy, env);
  const afterwards = hooks.afterwards === undefined ? {} : { afterwards: hooks.afterwards };
  const plan = (change: HookPlan['change'], lines: string[]): HookPlan => ({
    ...target,
    file,
    change,
    lines,
    ...afterwards,
  });
  if (hooks.content.kind === 'file') {
    const text = hooks.content.text(argv);
    if (from.text !== null && !from.text.startsWith(pluginMark))
      throw new Failure(
        'bad-config',
        `${file} exists and is not from Unstuck`,
        'move it away, then try again',
      );
    const change = from.text === text ? 'none' : from.text === null ? 'create' : 'edit';
    return { plan: plan(change, change === 'none' ? [] : shown(text)), from, to: text, insertions: [] };
  }
  try {
    const entries = entriesOf(hooks, hookLine(argv));
    const there = oursIn(from.text ?? '', isOursFor(target.agent));
    if (JSON.stringify(there) === JSON.stringify(entries.map(({ group }) => group)))
      return { plan: plan('none', []), from, to: from.text, insertions: [] };
    const receipt = readReceipts(privateHome(env)).find((one) => one.file === from.path);
    const base = there.length === 0 ? (from.text ?? '') : without(from.text ?? '', target.agent, receipt);
    const insertions = insertHooks(base, entries);
    const change = from.text === null ? 'create' : 'edit';
    const lines = insertions.flatMap(({ text }) => shown(text));
    return { plan: plan(change, lines), from, to: applyInsertions(base, insertions), insertions };
  } catch (error) {
    throw unreadable(file, error);
  }
}

function planUninstall(target: HookTarget, env: NodeJS.ProcessEnv): Change {
  const hooks: AgentHooks = agentHooks[target.agent];
  const file = fileOf(target, env);
  const from = readSettings(file);
  const plan = (change: HookPlan['change'], lines: string[]): HookPlan => ({
    ...target,
    file,
    change,
    lines,
  });
  const nothing = { plan: plan('none', []), from, to: from.text, insertions: [] };
  if (from.text === null) return nothing;
  if (hooks.content.kind === 'file') {
    if (!from.text.startsWith(pluginMark)) return nothing;
    return { plan: plan('remove', shown(from.text)), from, to: null, insertions: [] };
  }
  try {
    const receipt = readReceipts(privateHome(env)).find((one) => one.file === from.path);
    const text = without(from.text, target.agent, receipt);
    if (text === from.text) return nothing;
    const isOurs = receipt?.created === true && isEmpty(text);
    const lines = receipt?.insertions.flatMap((one) => shown(one.text)) ?? [];
    return { plan: plan(isOurs ? 'remove' : 'edit', lines), from, to: isOurs ? null : text, insertions: [] };
  } catch (error) {
    throw unreadable(file, error);
  }
}

/** A change that is shown first, and then made. */
export interface PreparedHook {
  plan: HookPlan;
  apply(): void;
}

export function prepareInstall(target: HookTarget, policy: ToolPolicy, env: NodeJS.ProcessEnv): PreparedHook {
  const { plan, from, to, insertions } = planInstall(target, policy, env);
  return {
    plan,
    apply() {
      if (plan.change === 'none' || to === null) return;
      const home = privateHome(env);
      const before = readReceipts(home).find((one) => one.file === from.path);
      const directories = writeSettings(from, to);
      writeReceipt(home, from.path, {
        agent: target.agent,
        file: from.path,
        created: from.text === null || before?.created === true,
        directories: before?.directories ?? directories,
        insertions,
      });
    },
  };
}

export function prepareUninstall(target: HookTarget, env: NodeJS.ProcessEnv): PreparedHook {
  const { plan, from, to } = planUninstall(target, env);
  return {
    plan,
    apply() {
      if (plan.change === 'none') return;
      const home = privateHome(env);
      const receipt = readReceipts(home).find((one) => one.file === from.path);
      if (to === null) removeSettings(from, receipt?.directories ?? []);
      else writeSettings(from, to);
      writeReceipt(home, from.path, null);
    },
  };
}

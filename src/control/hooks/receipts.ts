import { knownValue } from '../../model/facts/reading.js';
import { type HookAgent, hookAgents } from '../../model/tool.js';
import { daemonFile } from '../../store/daemon-files.js';
import { readJson, writeWhole } from '../../store/files.js';
import type { Insertion } from './edit-settings.js';

/** What an install has written: enough to undo it, and nothing else of the file. */
export interface HookReceipt {
  agent: HookAgent;
  /** Links are resolved. */
  file: string;
  /** The file did not exist before. */
  created: boolean;
  /** Directories that were made for it, the outermost first. */
  directories: string[];
  insertions: Insertion[];
}

function isReceipt(value: unknown): value is HookReceipt {
  const { agent, file, created, directories, insertions } = (value ?? {}) as Partial<
    Record<keyof HookReceipt, unknown>
  >;
  return (
    hookAgents.includes(agent as HookAgent) &&
    typeof file === 'string' &&
    typeof created === 'boolean' &&
    Array.isArray(directories) &&
    directories.every((one) => typeof one === 'string') &&
    Array.isArray(insertions) &&
    insertions.every(
      (one: Partial<Insertion> | null) => Number.isSafeInteger(one?.at) && typeof one?.text === 'string',
    )
  );
}

export function readReceipts(home: string): HookReceipt[] {
  const { installed } = (knownValue(readJson(daemonFile(home, 'hooks')), 'hooks.json') ?? {}) as {
    installed?: unknown;
  };
  return Array.isArray(installed) ? installed.filter(isReceipt) : [];
}

/** Replaces the receipt of a file; null: it has none any more. */
export function writeReceipt(home: string, file: string, receipt: HookReceipt | null): void {
  const others = readReceipts(home).filter((one) => one.file !== file);
  writeWhole(daemonFile(home, 'hooks'), { installed: [...others, ...(receipt === null ? [] : [receipt])] });
}

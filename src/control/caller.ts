import { isUtf8 } from 'node:buffer';
import fs from 'node:fs';
import { held } from '../config/held-certificates.js';
import { isAbsent } from '../model/facts/absence.js';
import { type Inherited, nothingInherited } from '../model/run/inherited.js';
import { openFilesLimit, readBytes } from '../probe/machine.js';
import { callerOpenFiles } from './caller-limit.js';

/** Written by the launcher: `PID blocked ignored open-files descriptor… [:file with the environment]`. */
export const noteName = 'UNSTUCK_CALLER';

/** Stands for bytes that are not UTF-8. */
const replacement = '\ufffd';

const signalsMax = 31;

/** What the caller gave us, and the environment as far as strings can hold it. */
export interface Caller {
  inherited: Inherited;
  env: NodeJS.ProcessEnv;
}

/** Reads the note of the launcher once, and removes it. `command`: the last arguments of this process. */
export function takeCaller(command: readonly string[]): Caller {
  const note = process.env[noteName] ?? '';
  delete process.env[noteName];
  const [words = '', ...rest] = note.split(':');
  const [pid, blocked = '', ignored = '', openFiles = '', ...numbers] = words.split(' ');
  const isOurs = pid === String(process.pid);
  const { env, bytes } = environment(isOurs ? rest.join(':') : '');
  const given = { ...nothingInherited, bytes: { env: bytes, words: wordsAsBytes(command) } };
  if (!isOurs) return { env, inherited: { ...given, openFiles: callerOpenFiles() } };
  const open = numbers.map(Number).filter(Number.isInteger);
  return {
    env,
    inherited: {
      ...given,
      ignored: signalsIn(ignored),
      blocked: signalsIn(blocked),
      openFiles: changedLimit(openFiles),
      descriptors: open.filter((fd) => fd > 2).toSorted((a, b) => a - b),
      closed: [0, 1, 2].filter((fd) => !open.includes(fd)),
    },
  };
}

/** The entry of an environment as it was before the launcher. */
function beforeLauncher(entry: Buffer): Buffer {
  const start = `${held.as}=`;
  if (!entry.subarray(0, start.length).equals(Buffer.from(start))) return entry;
  return Buffer.concat([Buffer.from(`${held.name}=`), entry.subarray(start.length)]);
}

/** undefined: Node has not raised it. */
function changedLimit(openFiles: string): number | undefined {
  const own = openFilesLimit('self');
  return !/^\d+$/.test(openFiles) || (!isAbsent(own) && own.soft === Number(openFiles))
    ? undefined
    : Number(openFiles);
}

/** The numbers of the signals in a mask that /proc prints in decimal. */
function signalsIn(mask: string): number[] {
  const bits = /^\d+$/.test(mask) ? BigInt(mask) : 0n;
  return Array.from({ length: signalsMax }, (_, index) => index + 1).filter(
    (signal) => ((bits >> BigInt(signal - 1)) & 1n) === 1n,
  );
}

/** `copy`: a file with the environment before the launcher; empty: ours is complete. */
function environment(copy: string): { env: NodeJS.ProcessEnv; bytes: Buffer[] } {
  const isWhole = Object.entries(process.env).every(
    ([name, value]) => !name.includes(replacement) && !value?.includes(replacement),
  );
  if (copy === '' && isWhole) return { env: process.env, bytes: [] };
  const entries = split(copy === '' ? ownBytes('environ') : takeFile(copy))
    .filter((entry) => entry.indexOf('=') > 0)
    .map(beforeLauncher);
  if (entries.length === 0) return { env: process.env, bytes: [] };
  const texts = entries.filter((entry) => isUtf8(entry)).map(String);
  const pairs = texts.map((text): [string, string] => {
    const at = text.indexOf('=', 1);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  return {
    env: Object.fromEntries(pairs.filter(([name]) => name !== noteName)),
    bytes: entries.filter((entry) => !isUtf8(entry)),
  };
}

function wordsAsBytes(command: readonly string[]): Map<number, Buffer> {
  if (!command.some((word) => word.includes(replacement))) return new Map();
  const own = split(ownBytes('cmdline')).slice(-command.length);
  return new Map([...own.entries()].filter(([, word]) => !isUtf8(word)));
}

function ownBytes(name: 'environ' | 'cmdline'): Buffer {
  const bytes = readBytes(`/proc/self/${name}`);
  // The probe uses its buffer again.
  return Buffer.isBuffer(bytes) ? Buffer.from(bytes) : Buffer.alloc(0);
}

function takeFile(file: string): Buffer {
  try {
    const bytes = fs.readFileSync(file);
    fs.rmSync(file);
    return bytes;
  } catch {
    return Buffer.alloc(0);
  }
}

/** Each part ends with a NUL byte. */
function split(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    parts.push(bytes.subarray(at, end < 0 ? bytes.length : end));
    at = (end < 0 ? bytes.length : end) + 1;
  }
  return parts;
}

import { spawn } from 'node:child_process';
import { Failure, type FailureCode, failureCodes } from '../../model/failure.js';
import type { WhyAnswer } from '../../model/verdict.js';
import { findCli } from './find-cli.js';

/** Larger than the answer about any tree. */
const answerBytesMax = 32 * 1024 * 1024;
/** More would slow down what is looked at. */
const atOnceMax = 2;
const waiting: (() => void)[] = [];
let asking = 0;

/**
 * `unstuck why` in a process of its own: reading a tree of many processes takes seconds, in which no page would be
 * answered.
 */
export async function askWhy(
  target: string | number,
  { env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal },
): Promise<WhyAnswer> {
  if (asking >= atOnceMax) await new Promise<void>((resolve) => waiting.push(resolve));
  asking += 1;
  try {
    signal.throwIfAborted();
    return await run(String(target), env, signal);
  } finally {
    asking -= 1;
    waiting.shift()?.();
  }
}

function run(target: string, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<WhyAnswer> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [findCli(env), 'why', '--json', '--', target], {
      env,
      signal,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const texts = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const) {
      child[name].setEncoding('utf8').on('data', (text: string) => {
        if (texts[name].length < answerBytesMax) texts[name] += text;
      });
    }
    child.on('error', reject);
    child.on('close', () => {
      try {
        resolve(answerIn(texts.stdout || texts.stderr));
      } catch (error) {
        reject(error);
      }
    });
  });
}

function answerIn(text: string): WhyAnswer {
  const content = JSON.parse(text);
  const { code, message, hint } = content.error ?? {};
  if (code === undefined) return content;
  const known = Object.hasOwn(failureCodes, code) ? (code as FailureCode) : 'cannot-read';
  throw new Failure(known, String(message), String(hint));
}

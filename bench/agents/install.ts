import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** An installation takes seconds; a registry that does not answer is given up after this. */
const installMsMax = 10 * 60_000;

export interface Package {
  name: string;
  version: string;
}

/** `@openai/codex@0.166.0`. */
export function parsePackage(pinned: string): Package {
  const at = pinned.lastIndexOf('@');
  return { name: pinned.slice(0, at), version: pinned.slice(at + 1) };
}

/** Outside of the checkout: hundreds of megabytes that several checkouts can use. */
export function defaultFolder(): string {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache');
  return process.env.UNSTUCK_AGENTS_DIR ?? join(cache, 'unstuck-agents');
}

function isInstalled(modules: string, { name, version }: Package): boolean {
  try {
    return JSON.parse(readFileSync(join(modules, name, 'package.json'), 'utf8')).version === version;
  } catch {
    return false;
  }
}

/**
 * Installs pinned packages into `<folder>/<name>`, unless they are there. No script of a package is run.
 *
 * @returns their node_modules, or why they are not there.
 */
export async function install(
  folder: string,
  name: string,
  pinned: readonly string[],
  report: (text: string) => void,
): Promise<{ modules: string } | { problem: string }> {
  const dir = join(folder, name);
  const modules = join(dir, 'node_modules');
  const missing = pinned.filter((one) => !isInstalled(modules, parsePackage(one)));
  if (missing.length === 0) return { modules };
  report(`installing ${missing.join(', ')}`);
  mkdirSync(dir, { recursive: true });
  // Without one, npm would install into the next folder above that has one.
  if (!existsSync(join(dir, 'package.json'))) writeFileSync(join(dir, 'package.json'), '{"private":true}\n');
  const problem = await npmInstall(dir, pinned);
  return problem === null
    ? { modules }
    : { problem: `npm could not install ${missing.join(', ')}: ${problem}` };
}

function npmInstall(dir: string, pinned: readonly string[]): Promise<string | null> {
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact', ...pinned];
  const child = spawn('npm', args, {
    cwd: dir,
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: installMsMax,
  });
  const chunks: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? null : problemOf(Buffer.concat(chunks).toString())));
  });
}

function problemOf(stderr: string): string {
  const errors = stderr.split('\n').filter((line) => line.startsWith('npm error'));
  return errors.slice(0, 3).join(' ').replaceAll('npm error', '').trim() || 'it gave no reason';
}

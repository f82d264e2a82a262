import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ResolvedSettings, resolveRunSettings } from '../../src/config/resolve.js';

export interface Scratch {
  /** A directory with .git, so that nothing above it is looked at. */
  project: string;
  home: string;
  writeProject(content: unknown): string;
  writeUser(content: unknown): string;
  resolve(flags?: Record<string, unknown>, env?: NodeJS.ProcessEnv, cwd?: string): ResolvedSettings;
}

const text = (content: unknown) => (typeof content === 'string' ? content : JSON.stringify(content));

/** A project and a home of their own, removed with the test. */
export function makeScratch(): Scratch {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'unstuck-config-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const project = join(root, 'project');
  const home = join(root, 'home');
  mkdirSync(join(project, '.git'), { recursive: true });
  mkdirSync(join(home, '.config', 'unstuck'), { recursive: true });
  const write = (file: string, content: unknown) => {
    writeFileSync(file, text(content));
    return file;
  };
  return {
    project,
    home,
    writeProject: (content) => write(join(project, 'unstuck.json'), content),
    writeUser: (content) => write(join(home, '.config', 'unstuck', 'config.json'), content),
    resolve: (flags = {}, env = {}, cwd = project) => resolveRunSettings({ flags, env, cwd, home }),
  };
}

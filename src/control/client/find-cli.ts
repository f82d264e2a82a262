import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../model/failure.js';
import { ownUrl } from '../../model/own-url.js';

const packageName = 'unstuck';
/** What Node runs. The command that npm installs is a shell script that starts it. */
const cliFile = 'dist/cli.cjs';

/**
 * The CLI file that a daemon is started with: the file UNSTUCK_CLI names, else that of the package this code is part
 * of. A bundler puts this code into a file of another package; then the installed package is resolved from there.
 */
export function findCli(env: NodeJS.ProcessEnv): string {
  const given = env.UNSTUCK_CLI;
  if (given) return existing(path.resolve(given));
  const cli = cliOf(ownPackageFile()) ?? cliOf(installedPackageFile());
  if (cli !== null) return cli;
  throw new Failure(
    'no-daemon',
    'no daemon is running, and the CLI that would start it was not found: this code is bundled',
    'set UNSTUCK_CLI to node_modules/unstuck/dist/cli.cjs, or start a daemon first: unstuck daemon start',
  );
}

function existing(file: string): string {
  if (fs.existsSync(file)) return cliBeside(fs.realpathSync(file)) ?? file;
  throw new Failure(
    'bad-config',
    `UNSTUCK_CLI names a file that does not exist: ${file}`,
    'set it to the absolute path of node_modules/unstuck/dist/cli.cjs, or unset it',
  );
}

/** The CLI that this launcher starts; null: not a launcher. */
function cliBeside(launcher: string): string | null {
  if (path.basename(launcher) !== packageName) return null;
  return cliOf(path.join(path.dirname(launcher), 'package.json'));
}

/** package.json of the package this file is in, found as Node does; null: there is none. */
function ownPackageFile(): string | null {
  const ownFile = ownUrl.startsWith('file:') ? fileURLToPath(ownUrl) : ownUrl;
  for (let dir = path.dirname(ownFile); ; dir = path.dirname(dir)) {
    const file = path.join(dir, 'package.json');
    if (fs.existsSync(file)) return file;
    if (path.dirname(dir) === dir) return null;
  }
}

function installedPackageFile(): string | null {
  try {
    return createRequire(ownUrl).resolve(`${packageName}/package.json`);
  } catch {
    return null;
  }
}

/** null: the file of another package, or the CLI does not exist. */
function cliOf(packageFile: string | null): string | null {
  if (packageFile === null) return null;
  try {
    const { name } = JSON.parse(fs.readFileSync(packageFile, 'utf8'));
    const file = path.resolve(path.dirname(packageFile), cliFile);
    return name === packageName && fs.existsSync(file) ? file : null;
  } catch {
    return null;
  }
}

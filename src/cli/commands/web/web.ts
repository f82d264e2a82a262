import { spawn } from 'node:child_process';
import { ownHome } from '../../../control/local/own-home.js';
import { Failure } from '../../../model/failure.js';
import { serveWeb } from '../../../web/serve.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { onInterrupt } from '../../shared/on-interrupt.js';

export interface WebFlags {
  port?: string | undefined;
  readOnly?: true | undefined;
  open: boolean;
  json?: true | undefined;
}

/** `unstuck web`. */
export async function runWeb({ port, readOnly, open, json }: WebFlags): Promise<void> {
  endWithReader();
  try {
    const { env } = process;
    const server = await serveWeb({
      port: readPort(port ?? '0'),
      readOnly: readOnly === true,
      home: ownHome(env),
      env,
    });
    const print = (link: string) => {
      process.stdout.write(json ? jsonDocument({ url: link }) : `${link}\n`);
    };
    const link = server.newLink();
    print(link);
    const isPerson = process.stdin.isTTY === true && !json;
    if (isPerson) process.stdout.write('The link works once. Enter prints another one, Ctrl-C ends.\n');
    if (isPerson) process.stdin.on('data', () => print(server.newLink()));
    if (open && isPerson && (env.DISPLAY ?? env.WAYLAND_DISPLAY) !== undefined) openBrowser(link);
    const release = onInterrupt(() => {
      server.close();
      release();
      process.stdin.pause();
      process.exit(0);
    });
  } catch (error) {
    fail(error, json === true);
  }
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Failure(
    'bad-input',
    `--port is ${JSON.stringify(text)}, which is not a port`,
    'leave it out: any free port is used',
  );
}

/** Without a browser the link is still there. */
function openBrowser(link: string): void {
  const child = spawn('xdg-open', [link], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { findTool } from '../support/find-tool.js';
import { patienceMs } from '../support/patience.js';
import { cliPath } from '../support/run-cli.js';

/** null: there is no browser here, and the tests that need one are skipped. */
export const browserPath = findTool('chromium');

export function launchBrowser(): Promise<Browser> {
  const args = ['--no-sandbox', '--disable-gpu'];
  return chromium.launch({ executablePath: browserPath ?? '', args, timeout: patienceMs });
}

const axeFile = new URL('../../node_modules/axe-core/axe.min.js', import.meta.url).pathname;

/** The rules that are broken, each with its first place. `rules`: all, or an argument of axe. */
export async function axeViolations(page: Page, rules = ''): Promise<string[]> {
  await page.evaluate(fs.readFileSync(axeFile, 'utf8'));
  return page.evaluate(`axe.run(${rules}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 160)))`);
}

/** `unstuck web`, as a user starts it. */
export class WebProcess {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(env: NodeJS.ProcessEnv, ...flags: string[]): Promise<WebProcess> {
    const child = spawn(process.execPath, [cliPath, 'web', '--no-open', '--json', ...flags], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      text += chunk;
      if (text.trimEnd().endsWith('}')) break;
    }
    return new WebProcess(child, JSON.parse(text).url);
  }

  get origin(): string {
    return new URL(this.url).origin;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Ctrl-C; the exit code. */
  async end(): Promise<number | null> {
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGINT');
    const [code] = await ended;
    return code;
  }

  /** A page that is logged in. The page of the link goes on to the first page by itself. */
  async login(context: BrowserContext): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(this.url);
    await page.waitForURL(`${this.origin}/`);
    return page;
  }

  /** A page of its own, with a context that is logged in. */
  async open(context: BrowserContext, hash = ''): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(patienceMs);
    await page.goto(`${this.origin}/${hash}`);
    return page;
  }
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** A request with exactly these headers, as a browser would not send it. */
export function request(
  port: number,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: http.OutgoingHttpHeaders; body?: unknown } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Attempts {
  requests: { port: number; path: string; method?: string; headers?: object; body?: unknown }[];
  /** Bytes that are sent to this port before the connection is closed. */
  thrown: string;
  thrownTo: number;
  files: string[];
}

/** What another user of the machine gets: statuses, contents of files or why they cannot be read. Needs root. */
export function asNobody(attempts: Attempts): { statuses: number[]; files: string[] } {
  const program = `
const { request } = require('node:http'), fs = require('node:fs'), net = require('node:net');
const { requests, thrown, thrownTo, files } = JSON.parse(fs.readFileSync(0, 'utf8'));
const ask = ({ port, path, method, headers, body }) => new Promise((resolve) => {
  const sent = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => { resolve(answer.statusCode); answer.destroy(); });
  sent.on('error', (error) => resolve(error.code));
  sent.end(body && JSON.stringify(body));
});
const read = (file) => {
  try { return fs.statSync(file).isDirectory() ? fs.readdirSync(file).join() : fs.readFileSync(file, 'utf8'); }
  catch (error) { return error.code; }
};
(async () => {
  const statuses = await Promise.all(requests.map(ask));
  await new Promise((resolve) => net.connect(thrownTo, '127.0.0.1', function () { this.write(thrown, () => { this.destroy(); resolve(); }); }));
  console.log(JSON.stringify({ statuses, files: files.map(read) }));
})();`;
  const options = {
    uid: nobody,
    gid: nobody,
    input: JSON.stringify(attempts),
    encoding: 'utf8',
    cwd: '/',
  } as const;
  return JSON.parse(execFileSync(process.execPath, ['-e', program], options));
}

const nobody = 65534;

/** Controls that are in view and that Tab does not reach. */
export async function unreachable(page: Page): Promise<string[]> {
  await page.evaluate(`window.controls = [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"], [role=button]')]
    .filter((one) => one.checkVisibility() && !one.disabled);
    window.reached = new Set(); document.activeElement?.blur?.(); getSelection().setPosition(document.body, 0)`);
  const count = Number(await page.evaluate('controls.length'));
  for (let n = 0; n < count + tabsMore; n += 1) {
    await page.keyboard.press('Tab');
    await page.evaluate('reached.add(document.activeElement)');
  }
  return page.evaluate(
    `controls.filter((one) => one.isConnected && !reached.has(one)).map((one) => one.outerHTML.slice(0, 120))`,
  );
}

/** The page itself, and what comes into view meanwhile. */
const tabsMore = 5;

// Pictures of the dashboard for README and docs, from real runs. Usage: screenshots.mjs [FOLDER] [--all]
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { runMain } from './run-main.mjs';

const root = resolve(import.meta.dirname, '..');
const chromiumPath = '/usr/bin/chromium';

const pytest = `import threading, time
a, b = threading.Lock(), threading.Lock()
def one():
    with a:
        time.sleep(0.3)
        with b: pass
def two():
    with b:
        time.sleep(0.3)
        with a: pass
for f in (one, two): threading.Thread(target=f).start()
`;

/** A reader that reads nothing and waits for its child, whose pipe is full. */
const fullPipe = `import subprocess
print('reading the history', flush=True)
child = subprocess.Popen(['sh', '-c', 'seq 1 100000'], stdout=subprocess.PIPE)
child.wait()
`;

const build = `let n = 0;
const step = () => {
  const end = Date.now() + 150 + Math.random() * 200;
  while (Date.now() < end) Math.sqrt(Math.random());
  n += 1;
  console.log('\\x1b[32m✓\\x1b[0m [' + n + '/400] compiled \\x1b[1msrc/module-' + n + '.ts\\x1b[0m in ' + Math.round(Math.random() * 90) + ' ms');
  if (n % 40 === 0) console.log('\\x1b[33mwarning\\x1b[0m unused import in src/module-' + n + '.ts');
  setTimeout(step, 120 + Math.random() * 400);
};
step();
`;

/** A worker that lives while a tool below it hangs. */
const agent = `import subprocess, time
print('agent: running the tests', flush=True)
tool = subprocess.Popen(['python3', 'bank_test.py'])
n = 0
while True:
    n += 1
    sum(range(3000000))
    time.sleep(1)
    print('agent: still thinking', n, flush=True)
`;

await runMain(import.meta, async () => {
  const [folder = join(root, 'docs/images')] = process.argv.slice(2).filter((word) => !word.startsWith('--'));
  const isAll = process.argv.includes('--all');
  const home = mkdtempSync(join(tmpdir(), 'unstuck-shots-'));
  const work = join(home, 'project');
  mkdirSync(work);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(work, 'bank_test.py'), pytest);
  writeFileSync(join(work, 'changes.py'), fullPipe);
  writeFileSync(join(work, 'build.mjs'), build);
  writeFileSync(join(work, 'agent.py'), agent);
  const env = {
    ...process.env,
    UNSTUCK_HOME: join(home, 'state'),
    UNSTUCK_DAEMON_IDLE: '60s',
    PATH: '/usr/bin:/bin',
  };
  /** @param {string[]} words */
  const unstuck = (...words) =>
    execFileSync(process.execPath, [join(root, 'dist/cli.cjs'), ...words], {
      env,
      cwd: work,
      encoding: 'utf8',
    });
  /** @param {string} label @param {string[]} words */
  const start = (label, ...words) => {
    const at = words.indexOf('--');
    const { id } = JSON.parse(
      unstuck('start', '--json', '--label', label, ...words.slice(0, at), ...words.slice(at)),
    );
    return id;
  };
  const web = spawn(process.execPath, [join(root, 'dist/cli.cjs'), 'web', '--no-open', '--json'], {
    env,
    cwd: work,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const quick = ['--sample', '1s'];
    for (const code of [0, 0, 0, 1])
      start('lint', '--', 'sh', '-c', `sleep 0.${code + 3}; echo checked 214 files; exit ${code}`);
    start(
      'api',
      ...quick,
      '--',
      process.execPath,
      '-e',
      "require('http').createServer().listen(0,()=>console.log('listening'));setInterval(()=>console.log('GET /health 200 3 ms'),900)",
    );
    const built = start('build', ...quick, '--', process.execPath, 'build.mjs');
    const stuck = start('changes', ...quick, '--', 'python3', 'changes.py');
    const part = start('agent', ...quick, '--', 'python3', 'agent.py');
    const asking = start(
      'release',
      ...quick,
      '--pty',
      '--',
      'sh',
      '-c',
      'echo releasing 1.4.0; printf "Publish to the registry? [y/N] "; read answer; echo published',
    );
    const line = await printed(web.stdout);
    const { url } = JSON.parse(line);
    const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
    try {
      await shoot(browser, url, { folder, isAll, built, stuck, part, asking });
    } finally {
      await browser.close();
    }
  } finally {
    web.kill('SIGINT');
    unstuck('kill', '--all');
    unstuck('daemon', 'stop');
    rmSync(home, { recursive: true, force: true });
  }
});

/** @param {NodeJS.ReadableStream} stream @returns {Promise<string>} */
async function printed(stream) {
  let text = '';
  for await (const chunk of stream) {
    text += chunk;
    if (text.trim().endsWith('}')) break;
  }
  return text;
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {{ folder: string, isAll: boolean, built: string, stuck: string, part: string, asking: string }} what
 */
async function shoot(browser, url, { folder, isAll, built, stuck, part, asking }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark' });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.log('console:', message.text()));
  page.on('pageerror', (error) => console.log('page:', error.message));
  await page.goto(url);
  await page.waitForSelector('.trouble.bad', { timeout: 60_000 });
  await delay(isAll ? 25_000 : 45_000);
  const pages = [
    ['overview', '#/runs'],
    ['run-stuck', `#/run/${stuck}`],
    ['run-part', `#/run/${part}`],
    ['run-asking', `#/run/${asking}`],
    ['run-build', `#/run/${built}`],
    ['processes', '#/processes/1'],
    ['orphans', '#/orphans'],
    ['history', '#/history'],
    ['notices', '#/notices'],
    ['doctor', '#/doctor'],
  ];
  const origin = new URL(url).origin;
  for (const theme of isAll ? ['dark', 'light'] : ['dark']) {
    for (const width of isAll ? [1280, 380] : [1280]) {
      await page.setViewportSize({ width, height: width === 380 ? 760 : 860 });
      await page.emulateMedia({ colorScheme: /** @type {'dark' | 'light'} */ (theme) });
      for (const [name, hash] of isAll ? pages : pages.slice(0, 2)) {
        await page.goto(`${origin}/${hash}`);
        if (hash?.startsWith('#/run/')) await page.locator('.node').first().waitFor();
        await delay(300);
        const reading = page.getByText(/^(Reading|Searching) …$/).first();
        await reading.waitFor({ state: 'detached', timeout: 60_000 });
        await delay(900);
        const file = isAll ? `${name}-${theme}-${width}.png` : `${name}.png`;
        await page.screenshot({ path: join(folder, file), fullPage: isAll });
      }
    }
  }
}

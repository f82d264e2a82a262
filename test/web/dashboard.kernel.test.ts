import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { FailureCode } from '../../src/model/failure.js';
import { BackgroundHome, until } from '../support/background-home.js';
import { findTool } from '../support/find-tool.js';
import { patienceMs } from '../support/patience.js';
import { axeViolations, browserPath, launchBrowser, unreachable, WebProcess } from './browser.js';

/** Each waits for its child, whose output it does not read. */
const deadlock = `import subprocess
print('reading the history', flush=True)
subprocess.Popen(['sh', '-c', 'seq 1 100000; true'], stdout=subprocess.PIPE).wait()
`;

/** It lives, and the tool below it does not. */
const living = `import subprocess, time
subprocess.Popen(['python3', '-c', '''import subprocess
subprocess.Popen(["sh", "-c", "seq 1 100000; true"], stdout=subprocess.PIPE).wait()'''])
while True:
    sum(range(200000))
    time.sleep(0.1)
`;

let home: BackgroundHome;
let browser: Browser;
let context: BrowserContext;
let web: WebProcess;
const problems: string[] = [];

/** The answers to a question about a run that ends while it is asked, and about a host where there is no fleet. */
const expectedAnswers: FailureCode[] = ['process-ended', 'no-such-process', 'run-ended', 'no-fleet'];

const start = async (label: string, command: string[], more: object = {}) =>
  (await home.start(command, { label, options: { sample: '200ms' }, ...more })).id;

/**
 * A daemon and a page of their own: all snapshots of a daemon have a common budget, and what other tests have used of it
 * is missed for a minute.
 */
async function ownSite(): Promise<{ own: BackgroundHome; site: WebProcess; page: Page }> {
  const own = new BackgroundHome();
  const site = await WebProcess.start(own.env);
  onTestFinished(async () => {
    await site.end();
    await own.end();
  });
  return { own, site, page: noted(await site.login(context), site) };
}

const open = async (hash = '') => noted(await web.open(context, hash), web);

/** What the page reports is a problem. */
function noted(page: Page, site: WebProcess): Page {
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('console', (message) => {
    // A refused request is checked below, with its answer.
    const isRefusal = message.text().startsWith('Failed to load resource: the server responded');
    if (message.type() === 'error' && !isRefusal)
      problems.push(`${message.text()} ${message.location().url}`);
  });
  page.on('response', async (response) => {
    if (response.ok()) return;
    const text = await response.text().catch((error: Error) => error.message);
    const isExpected = expectedAnswers.some((code) => text.includes(`"code":"${code}"`));
    if (!isExpected) problems.push(`${response.status()} ${response.url()} ${text}`);
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(site.origin) && !request.url().startsWith('data:'))
      problems.push(request.url());
  });
  return page;
}

describe.skipIf(browserPath === null)(
  'the dashboard in Chromium (skipped where there is no chromium)',
  () => {
    beforeAll(async () => {
      home = new BackgroundHome();
      [browser, web] = await Promise.all([launchBrowser(), WebProcess.start(home.env)]);
      context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      context.setDefaultTimeout(patienceMs);
      const page = await web.login(context);
      await page.getByText('No runs yet').waitFor();
      expect(await page.getByRole('link', { name: 'Hosts' }).count(), 'there is no fleet').toBe(0);
      await page.close();
    });

    afterAll(async () => {
      await browser?.close();
      await web?.end();
      await home.end();
    });

    it('puts trouble on top with its sentence, and draws the deadlock with its cycle', async () => {
      const page = await open();
      const id = await start('history', ['python3', '-c', deadlock]);
      const card = page.locator('.trouble', { hasText: 'history' });
      await card.getByText(/are deadlocked/).waitFor();
      await card.getByText(/^Next: /).waitFor();
      await card.getByRole('link', { name: 'Why' }).click();
      await page.waitForURL(`**/#/run/${id}`);
      await page.locator('.edge.cycle').nth(1).waitFor();
      expect(await page.locator('.node.cycle').count()).toBeGreaterThan(1);
      await page.locator('.node.cycle', { hasText: 'seq' }).click();
      await page.locator('.facts', { hasText: 'blocked in write' }).waitFor();
      await page.locator('.track .confirmed-stuck, .track .likely-stuck').first().waitFor();

      await page.getByRole('button', { name: 'Stop …' }).click();
      await page.locator('.victims li').nth(2).waitFor();
      await page.getByRole('button', { name: 'Stop 3 processes' }).click();
      await page.getByRole('dialog').getByText('Stopped 3 of 3 processes').waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.locator('h1', { hasText: 'history' }).waitFor();
      await page.getByRole('tab', { name: 'Report' }).click();
      await page.locator('.report', { hasText: 'SIGTERM' }).first().waitFor();
      await page.close();
    });

    it('marks a hung tool below a living parent, and stops only that', async () => {
      const { own, site, page } = await ownSite();
      const { id } = await own.start(['python3', '-c', living], { options: { sample: '1s' } });
      await page.goto(`${site.origin}/#/run/${id}`);
      await page.getByText(/^a part of it.* is stuck/).waitFor();
      await page.locator('.node.stuck').first().waitFor();
      expect(await page.locator('.node.target.stuck').count()).toBe(0);
      await page.locator('.node.stuck', { hasText: 'python3' }).first().click();
      await page.getByRole('button', { name: 'Stop this part …' }).click();
      await page.getByText('The rest of the run goes on').waitFor();
      await page.getByRole('button', { name: /^Stop \d+ processes$/ }).click();
      await page.getByRole('dialog').getByText('Stopped 3 of 3 processes').waitFor();
      expect((await own.call('list', {})).runs.find((run) => run.id === id)?.status).toBe('running');
      await page.close();
    });

    it('says what is wrong with a young run before its health does', async () => {
      // Its health takes longer than a browser on a busy machine.
      const options = { sample: '1m' };
      const { id } = await home.start(['python3', '-c', deadlock], { label: 'young', options });
      const page = await open(`#/run/${id}`);
      await page.getByText(/^Now: deadlock, \w+: .*are deadlocked/).waitFor();
      expect((await home.call('list', {})).runs.find((run) => run.id === id)?.health).toBe('healthy');
      await home.call('kill', { id, graceS: 0 });
      await page.close();
    });

    it('shows what hangs in a tree that is larger than its canvas', async () => {
      const many =
        'i=0; while [ $i -lt 40 ]; do sleep 600 & i=$((i+1)); [ $i = 20 ] && python3 -c "$1" & done; wait';
      const options = { sample: '1m' };
      const { id } = await home.start(['sh', '-c', many, 'sh', deadlock], { label: 'wide', options });
      const page = await open(`#/run/${id}`);
      await page.getByText(/^Now: deadlock, \w+: .*are deadlocked/).waitFor();
      const canvas = page.locator('.canvas');
      expect(await canvas.evaluate((box) => box.scrollWidth > 2 * box.clientWidth)).toBe(true);
      const [box, node] = await Promise.all(
        [canvas, page.locator('.node.chosen > rect')].map((one) => one.boundingBox()),
      );
      if (!box || !node) throw new Error('not drawn');
      expect(node.x).toBeGreaterThanOrEqual(box.x);
      expect(node.x + node.width).toBeLessThanOrEqual(box.x + box.width);
      await home.call('kill', { id, graceS: 0 });
      await page.close();
    });

    it('answers a prompt, and the run goes on', async () => {
      const id = await start(
        'release',
        ['sh', '-c', 'printf "Publish? [y/N] "; read answer; echo "you said $answer"'],
        { input: 'pty' },
      );
      const page = await open();
      await page.locator('.trouble', { hasText: 'release' }).getByRole('link', { name: 'Answer' }).click();
      const field = page.getByLabel(/^Answer/);
      await field.fill('yes');
      await field.press('Enter');
      await page.locator('.line', { hasText: 'you said yes' }).waitFor();
      await page.locator('.badge', { hasText: 'done' }).waitFor();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.waitForURL((url) => !url.hash.endsWith(id));
      await page.locator('h1', { hasText: 'release' }).waitFor();
      await page.close();
    });

    it.skipIf(findTool('vim') === null)('attaches a terminal: a file is written with vim', async () => {
      const file = path.join(home.path, 'note.txt');
      const id = await start('editor', ['vim', '-u', 'NONE', file], { input: 'pty' });
      const page = await open(`#/run/${id}`);
      await page.getByRole('button', { name: 'Terminal', exact: true }).click();
      await page.locator('.xterm-rows', { hasText: '~' }).waitFor();
      await page.keyboard.type('ihello from the page');
      await page.locator('.xterm-rows', { hasText: 'hello from the page' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.type(':wq\r');
      const written = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '');
      await until(() => written().endsWith('\n'), 'the file is written');
      expect(written()).toBe('hello from the page\n');
      await page.close();
    });

    it('does not answer questions of old output in the terminal, and sends a long paste as a whole', async () => {
      const script = 'stty -icanon; printf "\\033[6n\\033[cready\\n"; head -c 300001 | md5sum; read rest';
      const id = await start('asks', ['sh', '-c', script], { input: 'pty' });
      const page = await open(`#/run/${id}`);
      await page.locator('.line', { hasText: 'ready' }).waitFor();
      await page.getByRole('button', { name: 'Terminal', exact: true }).click();
      await page.locator('.xterm-rows', { hasText: 'ready' }).waitFor();
      await page.keyboard.type('z');
      await page.evaluate(`(() => {
        const data = new DataTransfer();
        data.setData('text/plain', 'x'.repeat(300000));
        const pasted = new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
        document.querySelector('.xterm-helper-textarea').dispatchEvent(pasted);
      })()`);
      const sum = createHash('md5')
        .update(`z${'x'.repeat(300_000)}`)
        .digest('hex');
      await page.locator('.xterm-rows', { hasText: sum }).waitFor();
      await home.call('kill', { id, graceS: 0 });
      await page.close();
    });

    it('scrolls and searches a long log, and follows its end', async () => {
      const id = await start('lines', ['sh', '-c', 'seq 1 400000 | sed "s/^250000$/the needle/"']);
      const page = await open(`#/run/${id}`);
      await page.locator('.line', { hasText: '400000' }).first().waitFor();
      await page.locator('.lines').focus();
      await page.keyboard.press('Home');
      await page.locator('.line[data-line="0"]', { hasText: '1' }).waitFor();
      await page.getByLabel('Search output').fill('the needle');
      await page.getByText('1 line found').waitFor();
      await page.getByLabel('Search output').press('Enter');
      await page.locator('.line.marked[data-line="249999"]', { hasText: 'the needle' }).waitFor();
      await page.locator('.line[data-line="250000"]', { hasText: '250001' }).waitFor();
      await page.close();
    });

    it('shows an answer that takes longer than the time until the next question', async () => {
      const id = await start('slow answer', ['sleep', '1000']);
      const page = await context.newPage();
      // A second counts as twenty there.
      await page.addInitScript(
        'const now = Date.now, since = now(); Date.now = () => since + 20 * (now() - since);',
      );
      await page.route('**/api/why', async (route) => {
        await delay(2500);
        await route.continue().catch(() => {});
      });
      await page.goto(`${web.origin}/#/run/${id}`);
      await page.locator('.node').first().waitFor();
      await page.close();
    });

    it('shows markup, control sequences and bidirectional tricks of programs as text', async () => {
      const evil = '<img src=x onerror="window.hit=1"><script>window.hit=1</script>';
      const printed = `${evil}\n\u001b[31mred\u001b[0m \u001b]0;title\u0007after\u001b[2J \u202egnp.exe\u200b\n`;
      const id = await start(evil, ['printf', '%s', printed]);
      const page = await open(`#/run/${id}`);
      await page.locator('.line .fg-red', { hasText: 'red' }).waitFor();
      expect(await page.locator('.line[data-line="0"] .text').textContent()).toBe(evil);
      expect(await page.locator('.line[data-line="1"] .text').textContent()).toBe(
        'red after \\u202egnp.exe\\u200b',
      );
      expect(await page.locator('h1').textContent()).toBe(evil);
      await page.goto(`${web.origin}/#/runs`);
      await page.getByText(evil).first().waitFor();
      expect(await page.evaluate('[typeof window.hit, document.querySelectorAll("img").length]')).toEqual([
        'undefined',
        0,
      ]);
      await page.close();
    });

    it('finds a run by the beginning of its id, and says so with a title when there is none', async () => {
      const id = await start('typed', ['sleep', '1000']);
      const page = await open(`#/run/${id.slice(4, 10)}`);
      await page.waitForURL(`**/#/run/${id}`);
      await page.locator('h1', { hasText: 'typed' }).waitFor();
      await page.goto(`${web.origin}/#/run/build%2F${id}`);
      await page.waitForURL(`**/#/hosts/build%2F${id}`);
      await page.goto(`${web.origin}/#/run/run_000000000000`);
      await page.locator('h1', { hasText: 'There is no run run_000000000000' }).waitFor();
      await home.call('kill', { id, graceS: 0 });
      await page.close();
    });

    it('cuts neither a state nor the end of a prompt, wide and narrow', async () => {
      const { own, page } = await ownSite();
      const script = 'printf "Overwrite the file /srv/data/backups/november/archive.tar.gz? [y/N] "; read x';
      const options = { sample: '200ms' };
      for (const label of ['asks 1', 'asks 2', 'asks 3', 'asks 4'])
        await own.start(['sh', '-c', script], { label, options, input: 'pipe' });
      const cell = page.locator('.row [role=cell]', { hasText: 'needs an answer' }).first();
      const end = page.locator('.trouble .last > :last-child', { hasText: '[y/N]' }).first();
      const isCut = ({ scrollWidth, clientWidth }: { scrollWidth: number; clientWidth: number }) =>
        scrollWidth > clientWidth;
      for (const width of [1280, 380]) {
        await page.setViewportSize({ width, height: 900 });
        await cell.waitFor();
        expect(await cell.evaluate(isCut), `at ${width}`).toBe(false);
        const [inner, outer] = await Promise.all([
          end.boundingBox(),
          page.locator('.trouble').first().boundingBox(),
        ]);
        const innerEnd = (inner?.x ?? 0) + (inner?.width ?? 0);
        expect(innerEnd, `at ${width}`).toBeLessThan((outer?.x ?? 0) + (outer?.width ?? 0));
      }
      await page.close();
    });

    it('keeps the trouble of a run when the daemon is killed, and says that it is not judged again', async () => {
      const { own, page } = await ownSite();
      await own.start(['python3', '-c', deadlock], { label: 'before', options: { sample: '2s' } });
      const card = page.locator('.trouble', { hasText: 'before' });
      await card.getByText(/are deadlocked/).waitFor();
      await own.killDaemon();
      await card.getByText(/are deadlocked.*; not judged again since the daemon was restarted/).waitFor();
      expect(await page.getByText('away for 0 ms').count()).toBe(0);
      await page.close();
    });

    it('shows a new run and its output while it is open, says when the daemon was away, and works by keyboard', async () => {
      const page = await open();
      const id = await start('talker', ['sh', '-c', 'while read line; do echo "heard $line"; done'], {
        input: 'pipe',
      });
      const row = page.locator('.row, .trouble', { hasText: 'talker' });
      await row.waitFor();
      await home.call('submit', { id, data: 'one' });
      await row.getByText('heard one').waitFor();
      await home.killDaemon();
      await page.getByText(/The daemon was away (?:for|at)/).waitFor();
      await home.call('submit', { id, data: 'two' });
      await row.getByText('heard two').waitFor();

      await page.keyboard.press('/');
      await page.keyboard.type('talker');
      await page.keyboard.press('Escape');
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.waitForURL(`**/#/run/${id}`);
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keys' }).waitFor();
      await page.keyboard.press('Escape');
      await page.keyboard.press('u');
      await page.waitForURL('**/#/runs');
      await page.close();
    });

    it('has no accessibility violations on any page, dark and light, wide and narrow, and Tab reaches all of a run', async () => {
      const id = await start('prompt', ['sh', '-c', 'echo hello; read answer'], { input: 'pty' });
      const page = await open();
      const pages = {
        '#/runs': '.trouble',
        [`#/run/${id}`]: '.node',
        [`#/processes/${process.pid}`]: '.node',
        '#/orphans': '.empty, table',
        '#/history': '.card',
        '#/notices': '.empty',
        '#/doctor': 'td',
      };
      for (const [colorScheme, width, rules] of [
        ['dark', 1280, ''],
        ['light', 380, '{ runOnly: ["color-contrast"] }'],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        for (const [hash, ready] of Object.entries(pages)) {
          await page.goto(`${web.origin}/${hash}`);
          await page.locator(ready).first().waitFor();
          expect(await axeViolations(page, rules), `${hash}, ${colorScheme}, ${width}`).toEqual([]);
          if (hash.startsWith('#/run/') && colorScheme === 'dark')
            expect(await unreachable(page)).toEqual([]);
          const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
          expect(isWide, `${hash} is wider than ${width}`).toBe(false);
        }
      }
      await page.close();
    });

    it('has reported no error, and loaded nothing from elsewhere', () => {
      expect(problems, problems.join('\n')).toEqual([]);
    });
  },
);

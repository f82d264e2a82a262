import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NatsServers } from '../../bench/fleet/nats.js';
import { findTool } from '../support/find-tool.js';
import { FleetMachine } from '../support/fleet-machine.js';
import { patienceMs } from '../support/patience.js';
import { removeDirectory } from '../support/remove-directory.js';
import { axeViolations, browserPath, launchBrowser, request, WebProcess } from './browser.js';

const evil = '<img src=x onerror="window.hit=1">';
const asks = 'printf "Publish? [y/N] "; read answer; echo "you said $answer"; exec sleep 1000';

describe.skipIf(findTool('nats-server') === null || browserPath === null)(
  'the hosts of a fleet in Chromium (skipped where there is no nats-server or chromium)',
  () => {
    const store = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-nats-'));
    const [build, laptop] = [new FleetMachine(), new FleetMachine()];
    let nats: NatsServers;
    let browser: Browser;
    let web: WebProcess;
    let page: Page;

    beforeAll(async () => {
      [nats, browser] = await Promise.all([NatsServers.begin(path.join(store, 'nats')), launchBrowser()]);
      const joins = [
        build.cli('join', nats.url, '--name', 'build', '--accept', 'kill,input'),
        laptop.cli('join', nats.url, '--name', 'laptop'),
      ];
      for (const { code, stderr } of await Promise.all(joins)) expect(code, stderr).toBe(0);
      web = await WebProcess.start(laptop.env);
      page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
      page.setDefaultTimeout(patienceMs);
      await page.goto(web.url);
      await page.getByRole('link', { name: 'Hosts' }).click();
    });

    afterAll(async () => {
      await browser?.close();
      await web?.end();
      await Promise.all([build.end(), laptop.end()]);
      await nats?.end();
      await removeDirectory(store);
    });

    it('shows members and their runs, trouble first, and acts on a run of another machine', async () => {
      const options = { sample: '200ms' };
      const here = await laptop.start(['sleep', '1000'], { label: evil });
      const { id } = await build.start(['sh', '-c', asks], { label: 'release', input: 'pty', options });
      await page.getByRole('article', { name: 'build' }).getByText('1 in trouble').waitFor();
      await page.getByRole('article', { name: 'laptop' }).getByText('accepts looking only').waitFor();
      expect(await page.locator('tbody tr').first().textContent()).toContain('release');
      // A run of this machine has its own page.
      const own = page.getByRole('link', { name: evil });
      expect(await own.getAttribute('href')).toBe(`#/run/${here.id}`);
      expect(await page.evaluate('typeof window.hit')).toBe('undefined');

      await page.getByRole('link', { name: 'release' }).click();
      await page.waitForURL(`**/#/hosts/build%2F${id}`);
      await page.locator('.node').first().waitFor();
      const field = page.getByLabel(/^Answer/);
      await field.fill('yes');
      await field.press('Enter');
      await page.locator('.line', { hasText: 'you said yes' }).waitFor();
      await page.getByRole('button', { name: 'Stop …' }).click();
      await page.locator('.victims li', { hasText: 'sleep' }).waitFor();
      await page.getByRole('button', { name: /^Stop \d+ process/ }).click();
      await page
        .getByRole('dialog')
        .getByText(/^Stopped \d+ of \d+ process/)
        .waitFor();
      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.locator('.badge', { hasText: 'SIGTERM' }).waitFor();
      expect((await build.call('list', {})).runs.map(({ status }) => status)).toEqual(['exited']);
    });

    it('reads no file that another machine names', async () => {
      const headers = {
        cookie: (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join('; '),
        origin: web.origin,
        'content-type': 'application/json',
      };
      for (const name of ['story', 'file']) {
        const body = { id: 'build/run_000000000000', name: 'evidence/x' };
        expect((await request(web.port, `/api/${name}`, { method: 'POST', headers, body })).status).toBe(501);
      }
      const output = '/api/output?id=build/run_000000000000';
      expect((await request(web.port, output, { headers })).status).toBe(501);
    });

    it('has no accessibility violations, dark and light, wide and narrow', async () => {
      await page.goto(`${web.origin}/#/hosts`);
      await page.locator('tbody tr').first().waitFor();
      for (const [colorScheme, width] of [
        ['dark', 1280],
        ['light', 380],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        expect(await axeViolations(page), `${colorScheme}, ${width}`).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      }
    });
  },
);

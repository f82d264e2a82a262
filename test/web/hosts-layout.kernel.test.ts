import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BackgroundHome } from '../support/background-home.js';
import { browserPath, launchBrowser, WebProcess } from './browser.js';

const host = (name: string, more: object = {}) => ({
  name,
  seen: '2026-11-19T20:25:08.769Z',
  runs: 1,
  jobs: 0,
  slots: 2,
  labels: [],
  accept: [],
  version: '0.1.0',
  ...more,
});
const run = (of: string, label: string, more: object = {}) => ({
  id: `${of}/run_aaaaaaaaaaaa`,
  host: of,
  label,
  command: label,
  status: 'running',
  health: 'healthy',
  why: 'it prints',
  needsInput: false,
  startedAt: '2026-11-19T20:20:00.000Z',
  uptimeS: 100,
  cpuPercent: 1,
  residentBytes: 1e6,
  outputBytes: 4,
  lastLine: 'l'.repeat(400),
  tags: [],
  progress: null,
  input: 'none',
  ...more,
});
const longName = 'averyveryverylonghostname-0123456789-0123456789-0123456789';
const fleet = {
  hosts: [host('build', { labels: ['L'.repeat(190)] }), host(longName)],
  runs: [
    run('build', 'y'.repeat(190), { health: 'confirmed-stuck', why: `it waits ${'w'.repeat(300)}` }),
    run(longName, 'short'),
  ],
};

describe.skipIf(browserPath === null)(
  'hosts with long names in Chromium (skipped where there is no chromium)',
  () => {
    const home = new BackgroundHome();
    let browser: Browser;
    let web: WebProcess;
    let page: Page;

    beforeAll(async () => {
      [browser, web] = await Promise.all([launchBrowser(), WebProcess.start(home.env)]);
      page = await web.login(await browser.newContext());
      await page.route('**/api/fleet', (route) => route.fulfill({ json: fleet }));
      await page.goto(`${web.origin}/#/hosts`);
    });

    afterAll(async () => {
      await browser?.close();
      await web?.end();
      await home.end();
    });

    it.each([1280, 380])('keep what a run does in view, and badges in their cards, at %d', async (width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.locator('tbody tr').nth(1).waitFor();
      const outside = `[...document.querySelectorAll('.what, .host .badge')]
        .filter((one) => { const { left, right } = one.getBoundingClientRect();
          const box = (one.closest('.host') ?? one.closest('.wide-table')).getBoundingClientRect();
          return left < box.left || right > box.right; })
        .map((one) => one.textContent)`;
      expect(await page.evaluate(outside)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
    });
  },
);

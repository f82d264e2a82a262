import type { Page } from 'playwright-core';
import { below, cpuMs, residentMb } from './usage.js';

/** A program that prints this many megabytes: numbered lines, a needle in the middle, a last line. */
export function printer(megabytes: number): string[] {
  const lines = Math.round((megabytes * 1e6) / 100);
  const line = `(i==${Math.round(lines / 2)}?"the needle ":"line "i" ") "${'x'.repeat(80)}"`;
  return ['awk', `BEGIN{for(i=1;i<=${lines};i++)print ${line};print "the last line"}`];
}

const patienceMs = 80_000;

/** Scrolls and searches a long log as a person does. */
export async function longLog(
  page: Page,
  { link, web, daemon }: { link: string; web: number; daemon: number },
): Promise<string[][]> {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const usedMs = () => cpuMs([web, daemon, ...below(process.pid, 'chrom')]);
  const timed = async (what: string, act: () => Promise<unknown>) => {
    const [startMs, usedBefore] = [performance.now(), usedMs()];
    const words = await act().then(
      () => `${seconds(performance.now() - startMs)}, CPU ${seconds(usedMs() - usedBefore)}`,
      () => `**not within ${seconds(performance.now() - startMs)}**`,
    );
    return [`long log: ${what}`, words];
  };
  const lines = page.locator('.lines');
  const rows = [
    await timed('its end is shown', async () => {
      await page.goto(link);
      await page.locator('.line', { hasText: 'the last line' }).waitFor({ timeout: patienceMs });
    }),
    await timed('all lines are counted', () =>
      page.locator('.log [role=status]', { hasText: /^[\d,]+ lines$/ }).waitFor({ timeout: patienceMs }),
    ),
    await timed('jump to the beginning', async () => {
      await lines.focus();
      await page.keyboard.press('Home');
      await page
        .locator('.line[data-line="0"] .text', { hasText: 'line 1 ' })
        .waitFor({ timeout: patienceMs });
    }),
    await timed('jump to the end', async () => {
      await page.keyboard.press('End');
      await page.locator('.line', { hasText: 'the last line' }).waitFor();
    }),
    await timed('scroll by 200 pages', async () => {
      for (let n = 0; n < 200; n += 1) await page.keyboard.press('PageUp');
      await page.locator('.line .text', { hasText: /^…$/ }).first().waitFor({ state: 'hidden' });
    }),
    await timed('a line in the middle is found and shown', async () => {
      await page.getByLabel('Search output').fill('the needle');
      await page.getByText('1 line found').waitFor({ timeout: patienceMs });
      await page.getByLabel('Search output').press('Enter');
      await page.locator('.line.marked', { hasText: 'the needle' }).waitFor();
    }),
  ];
  const heap = Number(await page.evaluate('performance.memory.usedJSHeapSize'));
  return [
    ...rows,
    ['after that: heap of the page', `${Math.round(heap / 1e6)} MB`],
    ['after that: memory of unstuck web', residentMb(web)],
    ['after that: memory of the daemon', residentMb(daemon)],
  ];
}

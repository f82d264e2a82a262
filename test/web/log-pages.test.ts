import { afterEach, expect, test, vi } from 'vitest';
import { LogPages } from '../../web/run/log-pages.js';

/** A server whose answers can be held back. */
class FakeServer {
  /** Lines that it knows of. */
  lines = 0;
  /** So many answers come before all lines are counted. */
  uncounted = 0;
  asked: number[] = [];
  hold: Promise<void> | null = null;

  readonly fetch = async (_: string, { body }: { body: string }) => {
    const { offset, limit } = JSON.parse(body) as { offset: number; limit: number };
    this.asked.push(limit === 0 ? -1 : offset);
    const first = Math.min(offset, this.lines);
    const lines = Array.from(
      { length: Math.min(limit, this.lines - first) },
      (_, at) => `line ${first + at}`,
    );
    this.uncounted -= 1;
    const answer = {
      ...{ lines, offset: first, totalLines: this.lines, droppedLines: 0 },
      ...(this.uncounted > 0 && { atLeast: true }),
    };
    await this.hold;
    return new Response(JSON.stringify(answer), { headers: { 'content-type': 'application/json' } });
  };
}

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function serve(): { server: FakeServer; pages: LogPages } {
  const server = new FakeServer();
  vi.stubGlobal('fetch', server.fetch);
  return { server, pages: new LogPages('run_1', () => {}) };
}

test('a page that was asked for when there were fewer lines is read again', async () => {
  const { server, pages } = serve();
  server.lines = 100;
  await pages.refresh();
  await vi.waitFor(() => expect(pages.line(99)).toBe('line 99'));
  let release = () => {};
  server.hold = new Promise((resolve) => {
    release = resolve;
  });
  pages.line(100);
  server.lines = 1000;
  release();
  server.hold = null;
  await pages.refresh();
  await vi.waitFor(() => expect(pages.line(399)).toBe('line 399'));
  await vi.waitFor(() => expect(pages.line(999)).toBe('line 999'));
});

test('a daemon that was started again counts first: its empty answer is not kept', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { server, pages } = serve();
  server.lines = 5000;
  await pages.refresh();
  Object.assign(server, { lines: 400, uncounted: 100 });
  expect(pages.line(4800)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(500);
  server.lines = 5000;
  pages.line(4800);
  await vi.advanceTimersByTimeAsync(1500);
  expect(pages.line(4800)).toBeUndefined();
  await vi.advanceTimersByTimeAsync(100);
  expect(pages.line(4800)).toBe('line 4800');
});

test('lines are counted by one question at a time, however often the log grows', async () => {
  const { server, pages } = serve();
  Object.assign(server, { lines: 10, uncounted: 5 });
  await Promise.all([pages.refresh(), pages.refresh(), pages.refresh()]);
  expect(server.asked.filter((offset) => offset === -1).length).toBeLessThan(8);
  expect(pages.isCounted).toBe(true);
  pages.close();
  const asked = server.asked.length;
  await pages.refresh();
  expect(server.asked.length, 'after the page was left').toBe(asked);
});

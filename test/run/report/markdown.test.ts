import { test as property } from '@fast-check/vitest';
import { describe, expect, it } from 'vitest';
import { markdownBytesMax, renderMarkdown } from '../../../src/run/report/render-markdown.js';
import { anyReport, anyText } from './any-report.js';
import { readMarkdown } from './read-markdown.js';
import { failedAttempt, reportWith, stuckReport } from './sample-report.js';

const headline = (text: string) => text.split('\n')[0];
const exit = (code: number | null, signal: string | null = null) =>
  ({ code, signal, provenance: 'recorded' }) as const;

describe('Markdown', () => {
  it('a run that passed at its second attempt is flaky, with how the first failed', () => {
    const text = renderMarkdown(reportWith({ attempts: [failedAttempt], flaky: true }));
    expect(headline(text)).toBe('## ⚠ npm test: flaky, passed at attempt 2');
    expect(text).toContain(
      '**Failed attempts**\n\n- Ended by itself with exit code 1 after 2 s. Report: `/runs/a/report.json`',
    );
  });

  it('a passed run, whole', () => {
    expect(
      renderMarkdown(reportWith({ leftBehind: [{ pid: 77, command: 'redis-server --port 0' }] })),
    ).toMatchInlineSnapshot(`
      "## ✓ npm test: passed

      Ended by itself after 3 min 2 s.

      | outcome | exit code | elapsed | health | peak CPU | peak memory | processes |
      | --- | --- | --- | --- | --- | --- | --- |
      | exited | 0 | 3 min 2 s | healthy, low | 212 % | 1.2 GB | 12 |

      <details><summary>Last 2 lines</summary>

      \`\`\`text
      142 passed
      done
      \`\`\`

      </details>

      **Left running**

      - \`redis-server --port 0\` (77)

      \`npm test\` in \`/home/ada/project\`, run\\_0123456789ab, started 2026-01-02T03:04:05.678Z
      "
    `);
  });

  it('a stuck run that left a survivor, whole', () => {
    expect(renderMarkdown(stuckReport)).toMatchInlineSnapshot(`
      "## ✗ npm test: needs input, certain

      Stopped because it was stuck: vi waits for a person to type.

      | outcome | exit code | elapsed | health | peak CPU | peak memory | processes |
      | --- | --- | --- | --- | --- | --- | --- |
      | stuck | 121 (of the command: SIGTERM) | 3 min 2 s | confirmed-stuck, certain | 212 % | 1.2 GB | 12 |

      \`\`\`text
      npm test (4371) waits for its child
      └─ git commit --amend (4391) waits for its child
         └─ vi .git/COMMIT_EDITMSG (4393) waits for a key on the terminal /dev/pts/3   ◀ the end of the chain
      \`\`\`

      **Evidence**

      - vi(4393) blocked in pselect6 on fd 0 = /dev/pts/3
      - the other three only wait for their child

      **What to do**

      - prevent it next time: GIT\\_EDITOR=true

      <details><summary>Last 2 lines</summary>

      \`\`\`text
      142 passed
      done
      \`\`\`

      </details>

      **Survived**

      - \`vi .git/COMMIT_EDITMSG\` (4393): SIGTERM, SIGKILL, survived

      **Ports still taken**

      - 3000

      **Stopped**

      - \`npm test\` (4371): SIGTERM, ended

      **Files**

      - \`/home/ada/.local/state/unstuck/runs/run_0123456789ab/evidence/snapshot.json\`

      **Health**

      - healthy at 0 ms: started
      - confirmed-stuck at 15 s: vi waits for a person to type

      \`npm test\` in \`/home/ada/project\`, run\\_0123456789ab, started 2026-01-02T03:04:05.678Z
      "
    `);
  });

  it.each([
    ['✗ npm test: exit code 3', reportWith({ exit: exit(3), exitCode: 3 })],
    ['✗ npm test: ended by SIGSEGV', reportWith({ exit: exit(139, 'SIGSEGV'), exitCode: 139 })],
    ['✗ npm test: ended, exit code unknown', reportWith({ exit: exit(null), exitCode: 125 })],
    [
      '✗ npm test: timed out after 3 min 2 s',
      reportWith({ outcome: 'timeout', exit: exit(143, 'SIGTERM'), exitCode: 124 }),
    ],
    [
      '✗ npm test: timed out after 3 min 2 s (needs input, certain)',
      { ...stuckReport, outcome: 'timeout', exitCode: 124 } as const,
    ],
    ['✗ npm test: no output for 6 min 12 s', { ...stuckReport, outcome: 'idle-timeout', why: null } as const],
    ['✗ npm test: interrupted', reportWith({ outcome: 'interrupted', exitCode: 130 })],
    ['✗ npm test: not started', reportWith({ outcome: 'not-started', exit: exit(null), exitCode: 127 })],
    ['✗ npm test: lost', reportWith({ outcome: 'lost', exit: exit(null) })],
    ['✓ npm test: passed', reportWith()],
  ])('%s', (expected, report) => {
    expect(headline(renderMarkdown(report))).toContain(`## ${expected.replace(/[*_]/g, '\\$&')}`);
  });

  it('a command that was not found is reported as such', () => {
    const report = reportWith({
      outcome: 'not-started',
      exit: exit(null),
      exitCode: 127,
      warnings: ['no such command: npmm'],
    });
    expect(renderMarkdown(report)).toContain('The command was not found: no such command: npmm.');
  });

  it('last lines stay inside their block, whatever they are', () => {
    const lines = ['```', '</details>', '````', '<script>', '\u001b[1mbold\0', 'two\nlines'];
    const { fences, prose, balanced } = readMarkdown(renderMarkdown(reportWith({ lastLines: lines })));
    expect(balanced).toBe(true);
    expect(fences).toEqual([['```', '</details>', '````', '<script>', '\\x1b[1mbold\\x00', 'two', 'lines']]);
    expect(prose.filter((line) => line.includes('details'))).toHaveLength(2);
  });

  property.prop([anyReport])(
    'no text leaves its place: fences close, and there is no tag or heading but ours',
    (report) => {
      const text = renderMarkdown(report);
      const { prose, balanced } = readMarkdown(text);
      expect(balanced).toBe(true);
      const all = prose.join('\n');
      expect(all).not.toContain('UNCLOSED');
      expect(
        all.replace(/<details><summary>Last (?:line|\d+ lines)<\/summary>\n|\n<\/details>/g, ''),
      ).not.toMatch(/[<>]/);
      expect(all).not.toMatch(/(?<!\\)[[\]]/);
      expect(all.match(/^#/gm)).toHaveLength(1);
      expect(all).not.toMatch(/^(?: {4}|\t)/m);
      expect(text).toBe(Buffer.from(text, 'utf8').toString('utf8'));
    },
  );

  property.prop([anyText])('every row of the table has as many cells as its head', (text) => {
    const report = reportWith({ phase: text, progress: { text, fraction: null, etaMs: null } });
    const rows = renderMarkdown(report)
      .split('\n')
      .filter((line) => line.startsWith('| '));
    expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([10, 10, 10]);
  });

  property.prop([anyText], { numRuns: 20 })('never longer than 64 KB', (text) => {
    const long = `${text}漢`.repeat(5000);
    const many = Array.from({ length: 3000 }, () => long.slice(0, 2000));
    const report = { ...stuckReport, label: long, command: long, cwd: long, lastLines: many, files: many };
    const rendered = renderMarkdown({ ...report, warnings: many });
    expect(Buffer.byteLength(rendered)).toBeLessThanOrEqual(markdownBytesMax);
    expect(rendered).toContain('<summary>Last ');
    expect(readMarkdown(rendered).balanced).toBe(true);
  });
});

import type { RunReport } from '../../model/run/run.js';
import { renderJson } from './render-json.js';
import { renderJunit } from './render-junit.js';
import { renderMarkdown } from './render-markdown.js';
import { appendWithin, writeWhole } from './write-file.js';

/** Files to write; none that is not asked for. */
export interface ReportTargets {
  json?: string | undefined;
  junit?: string | undefined;
  markdown?: string | undefined;
  /** The value of $GITHUB_STEP_SUMMARY: the Markdown is added to it. */
  githubSummary?: string | undefined;
}

/** What GitHub takes for one step; more than that and it shows nothing at all. */
const githubSummaryBytesMax = 1024 * 1024;

const formats: { target: 'json' | 'junit' | 'markdown'; title: string; render(report: RunReport): string }[] =
  [
    { target: 'json', title: 'JSON report', render: renderJson },
    { target: 'junit', title: 'JUnit report', render: renderJunit },
    { target: 'markdown', title: 'Markdown report', render: renderMarkdown },
  ];

function summarize(report: RunReport, file: string): void {
  if (!appendWithin(file, renderMarkdown(report), githubSummaryBytesMax)) {
    throw new Error('it is full (1 MiB)');
  }
}

/**
 * Writes what was asked for and returns what could not be written, one sentence each. It neither throws nor
 * waits, so that a signal handler can call it as the last thing before the end.
 */
export function writeReports(
  report: RunReport,
  targets: ReportTargets,
  { ownerOnly = false }: { ownerOnly?: boolean } = {},
): string[] {
  const warnings: string[] = [];
  const attempt = (title: string, file: string | undefined, write: (file: string) => void) => {
    if (file === undefined || file === '') return;
    try {
      write(file);
    } catch (error) {
      warnings.push(`cannot write the ${title} to ${file}: ${(error as Error).message}`);
    }
  };
  for (const { target, title, render } of formats) {
    attempt(title, targets[target], (file) => writeWhole(file, render(report), ownerOnly));
  }
  attempt('summary for GitHub', targets.githubSummary, (file) => summarize(report, file));
  return warnings;
}

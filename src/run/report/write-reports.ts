import type { RunReport } from '../../model/run/run.js';
import { jsonText } from '../../text/json-text.js';
import { renderJunit } from './render-junit.js';
import { renderMarkdown } from './render-markdown.js';
import { appendWithin, writeWhole } from './write-file.js';

/** The files to write. No file is written unless it is requested. */
export interface ReportTargets {
  json?: string | undefined;
  junit?: string | undefined;
  markdown?: string | undefined;
  /** The value of $GITHUB_STEP_SUMMARY. The Markdown is appended to that file. */
  githubSummary?: string | undefined;
}

/** The limit of GitHub for a step. GitHub shows nothing of a larger summary. */
const githubSummaryBytesMax = 1024 * 1024;

const formats: { target: 'json' | 'junit' | 'markdown'; title: string; render(report: RunReport): string }[] =
  [
    { target: 'json', title: 'JSON report', render: (report) => `${jsonText(report, 2)}\n` },
    { target: 'junit', title: 'JUnit report', render: renderJunit },
    { target: 'markdown', title: 'Markdown report', render: renderMarkdown },
  ];

function summarize(report: RunReport, file: string): void {
  if (!appendWithin(file, renderMarkdown(report), githubSummaryBytesMax)) {
    throw new Error('it is full (1 MiB)');
  }
}

/**
 * Writes the requested files and returns a sentence for each that could not be written. It neither throws nor waits, so
 * that a signal handler can call it last.
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

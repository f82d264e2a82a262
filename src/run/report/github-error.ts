import type { RunReport } from '../../model/run/run.js';
import { flakyWords, hasPassed, readableLines, sentenceOf, shorten, statusOf } from './words.js';

const charactersMax = 1000;

function escapeData(text: string): string {
  return readableLines([shorten(text, charactersMax)])
    .join('\n')
    .replaceAll('%', '%25')
    .replaceAll('\r', '%0D')
    .replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * The line that makes GitHub Actions show the failure on top of the job's page; null: no failure, or not in Actions.
 */
export function githubError(report: RunReport, env: NodeJS.ProcessEnv = process.env): string | null {
  if (env.GITHUB_ACTIONS !== 'true' || (hasPassed(report) && !report.flaky)) return null;
  const title = escapeProperty(`${report.label}: ${statusOf(report)}`);
  if (report.flaky) return `::warning title=${title}::${escapeData(flakyWords(report))}`;
  return `::error title=${title}::${escapeData(sentenceOf(report))}`;
}

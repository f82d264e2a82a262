import { endExplanation, flakyWords } from '../../../control/run.js';
import type { RunEvent, RunReport } from '../../../model/run/run.js';
import { printable } from '../../../text/printable.js';
import { clock } from './render-heartbeat.js';

/** What an event has said about the state of the command, without numbers that change; null: nothing. */
export function explanationIn(event: RunEvent): string | null {
  if (event.kind !== 'health' && event.kind !== 'needs-input') return null;
  const { findings, verdict } = event.diagnosis;
  return findings[0]?.reason ?? verdict?.reason ?? null;
}

/**
 * The last lines about a run that was stopped or failed: what it was doing, unless `said` is that, and how it ended.
 */
export function endLines(report: RunReport, said: string | null): string[] {
  const { label, outcome, exit, elapsedMs, files } = report;
  const line = (text: string) => `[heartbeat] ${label} ${text}`;
  const why = report.why?.findings[0]?.reason ?? report.why?.verdict.reason ?? null;
  const isNews = why !== null && why !== said;
  const [first, ...rest] = isNews ? endExplanation(report) : [];
  const code = exit.code === null ? 'unknown' : exit.code;
  const kept = files.map((file) => ` log=${file}`).slice(0, 1);
  return [
    ...(first === undefined ? [] : [line(`was stopped in this state: ${first}`)]),
    ...rest.map((text) => `  ${text}`),
    line(`ended: ${outcome} exit=${code} t+${clock(elapsedMs)}${kept.join('')}`),
  ].map(printable);
}

/** A run that passed at a later attempt. */
export function flakyLine(report: RunReport): string {
  return printable(`[heartbeat] ${report.label} is flaky: ${flakyWords(report)}`);
}

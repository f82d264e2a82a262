import { stackLines } from '../../../model/facts/stack.js';
import type { Diagnosis } from '../../../model/run/health.js';
import type { Receipt } from '../../../model/run/receipt.js';
import type { RunEvent } from '../../../model/run/run.js';
import { formatDuration } from '../../../text/duration.js';
import { printable } from '../../../text/printable.js';
import { livesOnWords } from '../../output/lives-on.js';
import { clock, renderHeartbeat } from './render-heartbeat.js';

/** Evidence, stack and next steps. */
function diagnosisLines({ evidence, recommendation, verdict, findings }: Diagnosis): string[] {
  const [part] = findings;
  const next = part?.next ?? verdict?.next ?? (recommendation === '' ? [] : [recommendation]);
  return [
    ...evidence.map((line) => `  ${line}`),
    ...stackLines((part ?? verdict)?.stack).map((line) => `  ${line}`),
    ...next.map((step, index) => `  ${index === 0 ? 'next: ' : '      '}${step}`),
  ];
}

function formatHealth({ health, confidence, reason }: Diagnosis): string {
  if (health === 'healthy') return `is healthy again: ${reason}`;
  return health === 'suspicious'
    ? `is suspicious: ${reason}`
    : `appears stuck: ${reason} (${health}, ${confidence})`;
}

/** A change of health, or a question, with its evidence. */
export function healthLines(
  { kind, diagnosis }: Extract<RunEvent, { kind: 'health' | 'needs-input' }>,
  line: (text: string) => string,
): string[] {
  if (kind === 'needs-input')
    return [line(`waits for an answer: ${diagnosis.reason}`), ...diagnosisLines(diagnosis)];
  return [
    line(formatHealth(diagnosis)),
    ...(diagnosis.health === 'healthy' ? [] : diagnosisLines(diagnosis)),
  ];
}

/** Which processes were stopped, and which survived. */
export function formatReceipt({ processes, survivors, tookMs, ports }: Receipt): string {
  const ended = processes.filter(({ result }) => result === 'ended').length;
  const parts = [`stopped ${ended} of ${processes.length} processes in ${formatDuration(tookMs)}`];
  if (survivors.length > 0) parts.push(`survived: ${survivors.join(', ')}`);
  const taken = ports.filter(({ free }) => !free).map(({ port }) => port);
  if (taken.length > 0) parts.push(`ports still taken: ${taken.join(', ')}`);
  parts.push(...livesOnWords(processes));
  return parts.join('; ');
}

type Retry = Extract<RunEvent, { kind: 'retry' }>;

function retryWords({ attempt, attemptsMax, failed }: Retry): string {
  const kept = failed.report === null ? '' : ` (report: ${failed.report})`;
  return `attempt ${attempt - 1} of ${attemptsMax} failed: ${failed.status}; it is run again${kept}`;
}

/** Lines on stderr for an event, possibly none. Labels and messages may come from a project file. */
export function renderRunEvent(event: RunEvent, label: string): string[] {
  return linesOf(event, label).map(printable);
}

function linesOf(event: RunEvent, label: string): string[] {
  const line = (text: string) => `[heartbeat] ${label} ${text}`;
  switch (event.kind) {
    case 'started':
      return [line(`started t+${clock(0)} pid=${event.pid ?? '-'} log=${event.log ?? 'none'}`)];
    case 'heartbeat':
      return [renderHeartbeat(event)];
    case 'health':
    case 'needs-input':
      return healthLines(event, line);
    case 'part-stopped':
      return [line(`stopped a stuck part: ${event.reason}; ${formatReceipt(event.receipt)}`)];
    case 'stalled':
      return [line(`appears stalled: ${event.reason}`)];
    case 'warning':
      return [line(`note: ${event.message}`)];
    case 'project-settings':
      return [`note: ${event.message}`];
    case 'signal':
      return event.reason === 'passed on' ? [] : [line(`is being stopped: ${event.reason}`)];
    case 'killed':
      return [line(formatReceipt(event.receipt))];
    case 'retry':
      return [line(retryWords(event))];
    case 'output':
    case 'finding':
    case 'evidence':
    case 'exited':
      return [];
  }
}

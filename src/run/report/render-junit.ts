import type { RunReport } from '../../model/run/run.js';
import {
  adviceOf,
  causeOf,
  chainLines,
  evidenceOf,
  exitCodeOf,
  hasPassed,
  healthOf,
  readableLines,
  sentenceOf,
  stackOf,
  statusOf,
  wholeCharacters,
} from './words.js';

/** Makes visible what XML 1.0 forbids in any form (even as &#0;), and controls that no viewer shows. */
function legal(text: string): string {
  return wholeCharacters(text)
    .replace(
      /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g,
      (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
    )
    .replace(/[\ufffe\uffff]/g, '\ufffd');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  // Always escaped: `]]>` is forbidden in text.
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escapeText(text: string): string {
  return legal(text).replace(/[&<>"\r]/g, (character) => entities[character] ?? character);
}

/** A parser turns a plain line break of an attribute into a space. */
function attribute(text: string): string {
  return escapeText(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

type Attributes = Record<string, string | number>;

function element(name: string, attributes: Attributes, content: string): string {
  const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${attribute(String(value))}"`);
  return `<${name}${list.join('')}${content === '' ? '/>' : `>${content}</${name}>`}`;
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function bodyOf(report: RunReport): string {
  return [
    sentenceOf(report),
    ...block('Evidence', evidenceOf(report)),
    ...block('Stack', stackOf(report)),
    ...block('Chain of waits', report.why === null ? [] : chainLines(report.why)),
    ...block('What to do', adviceOf(report)),
    ...block('Last lines', readableLines(report.lastLines)),
    ...block('Files', report.files),
  ].join('\n');
}

/** A failing command is a failure. Anything that kept the command from ending by itself is an error. */
function verdictElement(report: RunReport): { name: 'failure' | 'error'; text: string } | null {
  if (hasPassed(report)) return null;
  const name = report.outcome === 'exited' ? 'failure' : 'error';
  const message = causeOf(report) ?? statusOf(report);
  return { name, text: element(name, { type: report.outcome, message }, escapeText(bodyOf(report))) };
}

/** As Maven Surefire writes them: a case that passed later is flaky, the others were run again in vain. */
function attemptElements({ attempts = [], flaky }: RunReport): string[] {
  return attempts.map(({ outcome, reason, status, lastLines, report }) => {
    const kind = outcome === 'exited' ? 'Failure' : 'Error';
    const text = [reason, ...(report === null ? [] : [`Report: ${report}`])].join('\n');
    const lines = readableLines(lastLines).join('\n');
    const parts = [
      element('stackTrace', {}, escapeText(text)),
      ...(lines === '' ? [] : [element('system-out', {}, escapeText(lines))]),
    ];
    const name = `${flaky ? 'flaky' : 'rerun'}${kind}`;
    return element(name, { type: outcome, message: status }, parts.join(''));
  });
}

function properties(report: RunReport): string {
  const { id, command, cwd, exit, progress, phase, peak, leftBehind, receipt } = report;
  const rows: [name: string, value: string | number | null][] = [
    ['run', id],
    ['command', command],
    ['cwd', cwd],
    ['outcome', report.outcome],
    ['exit-code', exitCodeOf(report)],
    ['exit-provenance', exit.provenance],
    ['health', healthOf(report)],
    ['verdict', report.why === null ? null : `${report.why.verdict.kind}, ${report.why.verdict.certainty}`],
    ['progress', progress?.text ?? null],
    ['phase', phase],
    ['attempts', report.attempts === undefined ? null : report.attempts.length + 1],
    ['flaky', report.flaky ? 'true' : null],
    ['peak-cpu-percent', Math.round(peak.cpuPercent)],
    ['peak-resident-bytes', peak.residentBytes],
    ['peak-processes', peak.processes],
    ['survivors', receipt === null ? null : receipt.survivors.join(' ')],
    ['output-lost', report.outputLost?.message ?? null],
    ['left-behind', leftBehind.map(({ pid }) => pid).join(' ')],
  ];
  return rows
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => element('property', { name, value: value ?? '' }, ''))
    .join('\n      ');
}

/** A suite with a single case: CI servers show it as a test that passed, failed or could not be run. */
export function renderJunit(report: RunReport): string {
  const verdict = verdictElement(report);
  const lines = readableLines(report.lastLines).join('\n');
  const time = (Math.max(0, report.elapsedMs) / 1000).toFixed(3);
  const testcase = element(
    'testcase',
    { name: report.label, classname: 'unstuck', time },
    [
      '',
      verdict?.text ?? '',
      ...attemptElements(report),
      lines === '' ? '' : element('system-out', {}, escapeText(lines)),
      '',
    ]
      .filter((part, index, all) => part !== '' || index === 0 || index === all.length - 1)
      .join('\n    '),
  );
  const counts = {
    tests: 1,
    failures: verdict?.name === 'failure' ? 1 : 0,
    errors: verdict?.name === 'error' ? 1 : 0,
    time,
  };
  // The schemas of CI servers allow no time zone and no milliseconds.
  const timestamp = report.startedAt.slice(0, 'yyyy-mm-ddThh:mm:ss'.length);
  const suite = element(
    'testsuite',
    // Not on <testsuites>: the schema of Jenkins has no such attribute there.
    { name: report.label, ...counts, skipped: 0, timestamp },
    `\n    <properties>\n      ${properties(report)}\n    </properties>\n    ${testcase}\n  `,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'unstuck', ...counts }, `\n  ${suite}\n`)}\n`;
}

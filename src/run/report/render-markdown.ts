import type { ReceiptEntry } from '../../model/run/receipt.js';
import type { RunReport } from '../../model/run/run.js';
import { formatDuration } from '../../text/duration.js';
import { formatBytes } from '../../text/format-bytes.js';
import { printable } from '../../text/printable.js';
import {
  adviceOf,
  chainLines,
  evidenceOf,
  exitCodeOf,
  hasPassed,
  healthOf,
  readableLines,
  sentenceOf,
  shorten,
  stackOf,
  statusOf,
  wholeCharacters,
} from './words.js';

const inlineCharactersMax = 600;

/** Foreign text on a single line, so that nothing in it can begin a line. */
function oneLine(text: string): string {
  return printable(shorten(wholeCharacters(text), inlineCharactersMax)).trim();
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Shows text literally, without effect as Markdown, HTML or GitHub syntax. */
function plain(text: string): string {
  return (
    oneLine(text)
      .replace(/[\\`*_[\]~|#!$]/g, '\\$&')
      .replace(/[&<>]/g, (character) => entities[character] ?? character)
      // Addresses that would become links, and names that would be notified.
      .replace(/:(?=\/\/)/g, '\\:')
      .replace(/(www)\./gi, '$1\\.')
      .replace(/@(?=\w)/g, '@\u200b')
      // Only at the beginning of a block: lists, headings, rules.
      .replace(/^[-+=]/, '\\$&')
      .replace(/^(\d+)([.)])(?=\s|$)/, '$1\\$2')
  );
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

/** `text` in a code span, with as many backticks as it needs. */
function code(text: string): string {
  const content = oneLine(text);
  if (content === '') return '';
  const fence = '`'.repeat(longestRun(content) + 1);
  const pad = /^`|`$/.test(content) ? ' ' : '';
  return `${fence}${pad}${content}${pad}${fence}`;
}

/** Lines in a fenced block. The fence is longer than any run of backticks inside. */
function fenced(lines: readonly string[]): string {
  const content = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(content) + 1));
  return `${fence}text\n${content}\n${fence}`;
}

/** Far below the limit of GitHub for a step (1 MiB), and more than a person reads. */
export const markdownBytesMax = 64 * 1024;
const lineCharactersMax = 400;
const linesMax = 100;
const linesBytesMax = 24 * 1024;
const entriesMax = 20;

interface Section {
  name: string;
  text: string;
}

function table(report: RunReport): string {
  const { peak, progress, phase } = report;
  const columns: [name: string, value: string][] = [
    ['outcome', report.outcome],
    ['exit code', exitCodeOf(report)],
    ['elapsed', formatDuration(report.elapsedMs)],
    ['health', healthOf(report)],
    ['peak CPU', `${Math.round(peak.cpuPercent)} %`],
    ['peak memory', formatBytes(peak.residentBytes)],
    ['processes', String(peak.processes)],
  ];
  if (progress !== null) columns.push(['progress', progress.text]);
  if (report.usualMs !== null) columns.push(['usually', formatDuration(report.usualMs)]);
  if (phase !== null) columns.push(['phase', phase]);
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
  return [
    row(columns.map(([name]) => name)),
    row(columns.map(() => '---')),
    row(columns.map(([, value]) => plain(value))),
  ].join('\n');
}

function list<T>(title: string, items: readonly T[], describe: (item: T) => string): string {
  if (items.length === 0) return '';
  const more = items.length - entriesMax;
  const shown = items.slice(0, entriesMax).map((item) => `- ${describe(item)}`);
  return [`**${title}**`, '', ...shown, ...(more > 0 ? [`- and ${more} more`] : [])].join('\n');
}

function describeEntry({ command, pid, signals, result }: ReceiptEntry): string {
  const sent = signals.length === 0 ? 'no signal' : signals.map(plain).join(', ');
  return `${code(command)} (${pid}): ${sent}, ${result.replace('-', ' ')}`;
}

function processes({ receipt, leftBehind }: RunReport): string {
  const all = receipt?.processes ?? [];
  const taken = (receipt?.ports ?? []).filter(({ free }) => !free);
  return [
    list(
      'Survived',
      all.filter(({ result }) => result !== 'ended'),
      describeEntry,
    ),
    list('Ports still taken', taken, ({ port }) => String(port)),
    list('Left running', leftBehind, ({ pid, command }) => `${code(command)} (${pid})`),
    list(
      'Stopped',
      all.filter(({ result }) => result === 'ended'),
      describeEntry,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

function history({ history: steps }: RunReport): string {
  if (steps.length < 2) return '';
  return list(
    'Health',
    steps.slice(-entriesMax),
    ({ atMs, health, reason }) => `${health} at ${formatDuration(atMs)}: ${plain(reason)}`,
  );
}

function lastLines({ lastLines: lines }: RunReport): string {
  const shown: string[] = [];
  let bytes = 0;
  for (const line of readableLines(lines.slice(-linesMax)).slice(-linesMax).reverse()) {
    const short = shorten(line, lineCharactersMax);
    bytes += Buffer.byteLength(short) + 1;
    if (bytes > linesBytesMax) break;
    shown.unshift(short);
  }
  if (shown.length === 0) return '';
  const title = shown.length === 1 ? 'Last line' : `Last ${shown.length} lines`;
  return `<details><summary>${title}</summary>\n\n${fenced(shown)}\n\n</details>`;
}

function attempts({ attempts: failed = [] }: RunReport): string {
  return list('Failed attempts', failed, ({ reason, report }) =>
    report === null ? plain(reason) : `${plain(reason)} Report: ${code(report)}`,
  );
}

function chain({ why }: RunReport): string {
  if (why === null || why.chain.length < 2) return '';
  const lines = chainLines(why).slice(-entriesMax);
  return fenced(readableLines(lines).map((line) => shorten(line, lineCharactersMax)));
}

function stack(report: RunReport): string {
  const lines = stackOf(report).slice(0, linesMax);
  return lines.length === 0
    ? ''
    : `**Stack**\n\n${fenced(readableLines(lines).map((line) => shorten(line, lineCharactersMax)))}`;
}

/** In order of importance: sections that do not fit are dropped from the end. */
function sections(report: RunReport): Section[] {
  const { command, cwd, id, startedAt, files, warnings } = report;
  return [
    { name: 'attempts', text: attempts(report) },
    { name: 'chain', text: chain(report) },
    { name: 'evidence', text: list('Evidence', evidenceOf(report), plain) },
    { name: 'stack', text: stack(report) },
    { name: 'advice', text: list('What to do', adviceOf(report), plain) },
    { name: 'last lines', text: lastLines(report) },
    { name: 'processes', text: processes(report) },
    { name: 'warnings', text: list('Warnings', warnings, plain) },
    { name: 'files', text: list('Files', files, code) },
    { name: 'health', text: history(report) },
    { name: 'command', text: `${code(command)} in ${code(cwd)}, ${plain(id)}, started ${plain(startedAt)}` },
  ].filter(({ text }) => text !== '');
}

/** The summary of a CI job: first what happened, readable in five seconds, then the evidence. */
export function renderMarkdown(report: RunReport): string {
  const mark = hasPassed(report) ? (report.flaky ? '⚠' : '✓') : '✗';
  const parts = [
    `## ${mark} ${plain(report.label)}: ${plain(statusOf(report))}`,
    plain(sentenceOf(report)),
    ...(report.outputLost === undefined ? [] : [`**${plain(report.outputLost.message)}**`]),
    table(report),
  ];
  const omitted: string[] = [];
  const room = markdownBytesMax - 256;
  let bytes = Buffer.byteLength(parts.join('\n\n'));
  for (const { name, text } of sections(report)) {
    const more = Buffer.byteLength(text) + 2;
    if (bytes + more > room) omitted.push(name);
    else {
      parts.push(text);
      bytes += more;
    }
  }
  if (omitted.length > 0) parts.push(`Left out, because it is too long: ${omitted.join(', ')}.`);
  return `${parts.join('\n\n')}\n`;
}

import pc from 'picocolors';
import type { GivenNotice } from '../../../control/follow-notices.js';
import { type NoticeKind, noticeKinds } from '../../../model/notice.js';
import { plainText } from '../../../text/plain-text.js';
import { printable } from '../../../text/printable.js';
import { cutToWidth } from '../../output/display-width.js';
import { shortId } from '../../shared/short-id.js';

export interface NoticeView {
  /** Infinity: nothing is cut. */
  columns: number;
  color: boolean;
  nowMs: number;
}

type Colors = ReturnType<typeof pc.createColors>;
type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'blue';

const kindColors: Record<NoticeKind, Color> = {
  exit: 'green',
  match: 'cyan',
  'patterns-off': 'yellow',
  'needs-input': 'yellow',
  stuck: 'red',
  stalled: 'yellow',
  'owner-gone': 'yellow',
  'tool-stuck': 'red',
  progress: 'blue',
  overflow: 'yellow',
  'overflow-over': 'green',
};

const kindColumns = Math.max(...noticeKinds.map((kind) => kind.length));
const indent = '    ';
const outputLinesMax = 20;
const tab = '  ';

const two = (value: number) => String(value).padStart(2, '0');

/** Local time; with the date when it is not today. */
function timeOf(at: string, nowMs: number): string {
  const [then, now] = [new Date(at), new Date(nowMs)];
  if (Number.isNaN(then.getTime())) return printable(at);
  const time = [then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(':');
  if (then.toDateString() === now.toDateString()) return time;
  return `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())} ${time}`;
}

function colorOf({ kind, exit }: GivenNotice): Color {
  if (exit === undefined || exit.code === 0) return kindColors[kind];
  return exit.code === null && exit.signal === null ? 'yellow' : 'red';
}

function sourceOf({ runId, label }: GivenNotice): string {
  if (runId === null) return label === null ? 'all runs' : printable(label);
  const id = shortId(runId);
  return label === null ? id : `${printable(label)} (${id})`;
}

function marksOf({ repeat, known }: GivenNotice): string {
  const marks = [...(repeat ? ['again'] : []), ...(known ? ['known'] : [])];
  return marks.length === 0 ? '' : ` [${marks.join(', ')}]`;
}

/** Counts what is not shown: matching lines, or notices held back by the breaker. */
function hiddenLines({ kind, suppressed, matches, output }: GivenNotice): string[] {
  const isBreaker = kind === 'overflow' || kind === 'overflow-over';
  const more = isBreaker ? suppressed : (matches ?? 0) - output.split('\n').length;
  if (more <= 0) return [];
  const [one, many] = isBreaker ? ['notice', 'notices'] : ['match', 'matches'];
  return [`and ${more} more ${more === 1 ? one : many}`];
}

function outputLines(output: string): string[] {
  const text = plainText(output).trimEnd();
  if (text === '') return [];
  return text
    .split('\n')
    .slice(-outputLinesMax)
    .map((line) => printable(line.replaceAll('\t', tab)));
}

function headLine(notice: GivenNotice, view: NoticeView, colors: Colors): string {
  const { seq, at, kind, text } = notice;
  const name = colors[colorOf(notice)](kind) + ' '.repeat(kindColumns - kind.length);
  const source = colors.bold(sourceOf(notice));
  return `${timeOf(at, view.nowMs)}  #${seq}  ${name}  ${source}: ${printable(text)}${marksOf(notice)}`;
}

/** One notice for a terminal: its text, and below it the output. A known notice is dimmed. */
export function renderNotice(notice: GivenNotice, view: NoticeView): string[] {
  const below = [...outputLines(notice.output), ...hiddenLines(notice)];
  const shown = below.map((line) => cutToWidth(indent + line, view.columns).trimEnd());
  const head = headLine(notice, view, pc.createColors(view.color && !notice.known));
  const { dim } = pc.createColors(view.color);
  return notice.known ? [head, ...shown].map((line) => dim(line)) : [head, ...shown];
}

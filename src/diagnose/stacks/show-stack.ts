import type { ProcessStacks, ShownStack, ThreadStack } from '../../model/facts/stack.js';
import { printable } from '../../text/printable.js';
import { frameWords, isOwnCode } from './own-code.js';
import { testFrameOf } from './running-test.js';

/** Lines of all stacks together, as many as a log can take. */
const linesMax = 12;
const stacksMax = 3;
const lineCharsMax = 160;
/** Limit for a stack without own code. */
const innermostMax = 4;

/** The most informative stacks of a process: the stack that runs the test first, then those with own code. */
export function showStacks({ pid, threads, handles }: ProcessStacks, tid: number): ShownStack[] {
  if (threads.length === 0 && handles !== undefined) return [eventLoop(pid, handles)];
  const ranked = threads
    .map((stack) => ({ stack, rank: rankOf(stack, tid) }))
    .filter(({ stack, rank }) => stack.frames.length > 0 && rank < ranks.rest)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, stacksMax);
  let room = linesMax;
  return ranked.flatMap(({ stack }, index) => {
    const left = ranked.length - index - 1;
    const lines = foldedLines(stack).slice(0, Math.max(2, room - left * 3));
    room -= lines.length;
    return lines.length === 0 || room < 0 ? [] : shown(stack, lines);
  });
}

const ranks = { test: 0, own: 1, asked: 2, rest: 3 } as const;

function rankOf(stack: ThreadStack, tid: number): number {
  if (testFrameOf(stack) !== null) return ranks.test;
  if (stack.frames.some((frame) => isOwnCode(stack, frame))) return ranks.own;
  return stack.tid === tid ? ranks.asked : ranks.rest;
}

/** An asynchronous wait has no stack: the handles that the event loop waits for are shown instead. */
function eventLoop(pid: number, handles: readonly string[]): ShownStack {
  const counts = new Map<string, number>();
  for (const name of handles) counts.set(name, (counts.get(name) ?? 0) + 1);
  const words = [...counts].map(([name, count]) => printable(count === 1 ? name : `${name} x${count}`));
  const waits = words.length === 0 ? 'nothing' : words.slice(0, linesMax).join(', ');
  return { pid, thread: 'event loop', from: 'inspector', lines: ['no JavaScript runs', `open: ${waits}`] };
}

function shown({ pid, tid, name, from }: ThreadStack, lines: string[]): ShownStack {
  return { pid, thread: printable(tid === null ? name : `thread ${tid} (${name})`), from, lines };
}

/** Own code in full, other frames in one line: `… 14 frames of the runtime`. */
function foldedLines(stack: ThreadStack): string[] {
  const { frames } = stack;
  const isOwn = frames.map((frame) => isOwnCode(stack, frame));
  const first = isOwn.indexOf(true);
  const lines: string[] = [];
  let folded = 0;
  const unfold = () => {
    if (folded > 0) lines.push(`… ${folded} more ${folded === 1 ? 'frame' : 'frames'}`);
    folded = 0;
  };
  for (const [index, frame] of frames.entries()) {
    // The function that own code has called shows what it waits in.
    const isShown = first < 0 ? index < innermostMax : isOwn[index] || index === first - 1;
    if (!isShown) {
      folded += 1;
      continue;
    }
    unfold();
    lines.push(printable(frameWords(frame)).slice(0, lineCharsMax));
  }
  unfold();
  return lines;
}

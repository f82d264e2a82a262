import type { StackFrame, ThreadStack } from '../../model/facts/stack.js';
import type { StackTool } from './tools.js';

const threadsMax = 256;
const framesMax = 100;
const charsMax = 300;

/** How a tool writes stacks. */
interface DumpFormat {
  language: ThreadStack['language'];
  /** The beginning of a thread. */
  thread(line: string): { tid: number | null; name: string } | null;
  /** A frame of the dump; null: another line, which belongs to the thread all the same. */
  frame(line: string): StackFrame | null;
}

function frameOf(name: string, file: string | undefined, line: string | undefined): StackFrame {
  return {
    function: name.slice(0, charsMax),
    file: file === undefined ? null : file.slice(0, charsMax),
    line: line === undefined ? null : Number(line),
  };
}

const formats: Record<StackTool['name'], DumpFormat> = {
  'py-spy': {
    language: 'python',
    thread(line) {
      const match = /^Thread (\d{1,10}) \([^)]{1,20}\)(?:: "(.*)")?$/.exec(line);
      return match === null ? null : { tid: Number(match[1]), name: match[2] ?? '' };
    },
    frame(line) {
      const match = /^ {4}(.{1,300}) \(([^()]{1,500}):(\d{1,9})\)$/.exec(line);
      return match === null ? null : frameOf(match[1] ?? '', match[2], match[3]);
    },
  },
  jstack: {
    language: 'java',
    thread(line) {
      const match = /^"(.{0,300}?)" .{0,300}?\bnid=(0x[0-9a-f]{1,8}|\d{1,10})\b/.exec(line);
      return match === null ? null : { tid: Number(match[2]), name: match[1] ?? '' };
    },
    frame(line) {
      const match = /^\tat (?:[\w.@-]{1,200}\/)?([\w.$<>/]{1,500})\(([^()]{0,300})\)$/.exec(line);
      if (match === null) return null;
      const place = /^([^:]{1,300}):(\d{1,9})$/.exec(match[2] ?? '');
      return frameOf(match[1] ?? '', place?.[1], place?.[2]);
    },
  },
  gdb: {
    language: 'native',
    thread(line) {
      const match = /^Thread \d{1,9} \(.{0,100}?\(?LWP (\d{1,10})\)(?: "(.{0,100})")?\)?:?$/.exec(line);
      return match === null ? null : { tid: Number(match[1]), name: match[2] ?? '' };
    },
    frame(line) {
      const match =
        /^#\d{1,5} +(?:0x[0-9a-f]{1,16} in )?(\S.{0,2000}?) \(.{0,4000}?\)(?: at (.{1,500}):(\d{1,9})| from .{1,500})?$/.exec(
          line,
        );
      return match === null ? null : frameOf(match[1] ?? '', match[2], match[3]);
    },
  },
};

/** The stacks in the output of a tool. Unknown lines are skipped. */
export function parseDump(tool: StackTool['name'], pid: number, text: string): ThreadStack[] {
  const format = formats[tool];
  const stacks: ThreadStack[] = [];
  let isInside = false;
  for (const line of text.split('\n')) {
    // Lines after an empty line are about something else, such as a deadlock that jstack has found.
    if (line.trim() === '') isInside = false;
    const thread = format.thread(line);
    if (thread !== null) {
      if (stacks.length === threadsMax) break;
      isInside = true;
      stacks.push({ pid, ...thread, language: format.language, from: tool, frames: [] });
      continue;
    }
    const frame = isInside ? format.frame(line) : null;
    const frames = stacks.at(-1)?.frames;
    if (frame !== null && frames !== undefined && frames.length < framesMax) frames.push(frame);
  }
  return stacks;
}

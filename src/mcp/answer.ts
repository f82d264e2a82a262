import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../model/failure.js';
import { quoted, visible } from '../text/visible.js';
import { fence, type Printed } from './fence.js';
import type { Notice, RidingNotices } from './pending-notices.js';
import { shownData } from './shown-data.js';

/**
 * The answer of a tool. Clients show their model either the text or the data, so both are complete, and in both a model
 * can tell our sentences from what a program printed.
 */
export interface ToolAnswer {
  /** Our sentences. Text of a program is in them only as a quotation. */
  message: string;
  /** More lines of ours for the text; the data has the same in fields. */
  rows?: readonly string[];
  /** What programs printed, for the text; the data has it in fields of its own. */
  printed?: readonly Printed[];
  data: Record<string, unknown>;
  next: string;
}

/** The same with remarks about what was asked. */
export function withNotes(answered: ToolAnswer, notes: readonly string[]): ToolAnswer {
  return { ...answered, message: [answered.message, ...notes.map((note) => `note: ${note}`)].join('\n') };
}

const noticeChars = 300;
const labelChars = 60;

/** One line; the output of the notice is not in it. */
export function noticeLine({ seq, runId, label, text }: Notice): string {
  const run = runId === null ? '' : `${runId} (${quoted(label ?? '', labelChars)}): `;
  return `[${seq}] ${run}${text}`;
}

/** The end of its output. */
export function noticeOutput({ seq, output }: Notice): Printed {
  return { of: `notice ${seq}`, text: output.trim().slice(-noticeChars).trim() };
}

export function answer(
  { message, rows = [], printed = [], data, next }: ToolAnswer,
  { fresh, waiting, last }: RidingNotices,
): CallToolResult {
  const lines = [
    message,
    ...rows,
    `next: ${next}`,
    ...fresh.map((notice) => `notice ${noticeLine(notice)}`),
    ...(waiting === 0
      ? []
      : [`${waiting} ${waiting === 1 ? 'notice' : 'notices'} not acknowledged: notices {"ack": ${last}}`]),
  ];
  const notices = fresh.map((notice) => {
    const { seq, runId, kind, text } = notice;
    const output = noticeOutput(notice).text;
    return { seq, runId, kind, text, ...(output !== '' && { output }) };
  });
  return {
    content: [
      {
        type: 'text',
        text: [...lines.map(visible), ...fence([...printed, ...fresh.map(noticeOutput)])].join('\n'),
      },
    ],
    structuredContent: shownData({
      message,
      next,
      ...data,
      ...(notices.length > 0 && { notices }),
      ...(waiting > 0 && { unacknowledged: { count: waiting, last } }),
    }) as Record<string, unknown>,
  };
}

/** Hints name CLI commands. A client that has only tools gets the equivalent call. */
export function hintForTools(hint: string): string {
  return hint.replace(/\bunstuck (list|poll|log|kill|close)\b(?: (run_[0-9a-f]{12}))?/g, (_, action, id) => {
    const input = id === undefined ? { action } : { action, id };
    return `process ${JSON.stringify(input)}`;
  });
}

/** The same code and message as everywhere. Other errors are reported as a bug. */
export function failureAnswer(error: unknown): CallToolResult {
  const { code, message, hint } =
    error instanceof Failure
      ? { code: error.code, message: visible(error.message), hint: visible(hintForTools(error.hint)) }
      : {
          code: 'internal',
          message: visible(String(error)),
          hint: 'this is a bug in Unstuck: try another way',
        };
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}\nhint: ${hint}` }],
    structuredContent: { error: { code, message, hint } },
  };
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../model/failure.js';
import type { Notice, RidingNotices } from './pending-notices.js';

/** The answer of a tool: the same content as data and as text, and the next step. */
export interface ToolAnswer {
  data: Record<string, unknown>;
  text: string;
  next: string;
}

const noticeChars = 300;

/** One line, and the end of its output. */
export function noticeText({ seq, runId, label, text, output }: Notice): string {
  const shown = output.trim().slice(-noticeChars).trim();
  return `[${seq}] ${runId === null ? '' : `${runId} (${label}): `}${text}${shown === '' ? '' : `\n${shown}`}`;
}

/** The text and the structured content are both complete: clients show one or the other to their model. */
export function answer(
  { data, text, next }: ToolAnswer,
  { fresh, waiting, last }: RidingNotices,
): CallToolResult {
  const notices = [
    ...fresh.map((notice) => `notice ${noticeText(notice)}`),
    ...(waiting === 0
      ? []
      : [`${waiting} ${waiting === 1 ? 'notice' : 'notices'} not acknowledged: notices {"ack": ${last}}`]),
  ];
  const short = fresh.map(({ seq, runId, kind, text: noticeText }) => ({
    seq,
    runId,
    kind,
    text: noticeText,
  }));
  return {
    content: [{ type: 'text', text: [text, `next: ${next}`, ...notices].join('\n') }],
    structuredContent: {
      ...data,
      next,
      ...(fresh.length > 0 && { notices: short }),
      ...(waiting > 0 && { unacknowledged: { count: waiting, last } }),
    },
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
      ? { code: error.code, message: error.message, hint: hintForTools(error.hint) }
      : { code: 'internal', message: String(error), hint: 'this is a bug in Unstuck: try another way' };
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}\nhint: ${hint}` }],
    structuredContent: { error: { code, message, hint } },
  };
}

import type { CallToolResult } from '@modelcontextprotocol/server';
import { Failure } from '../model/failure.js';
import type { Notice, RidingNotices } from './pending-notices.js';

/** What a tool has to say: the same twice, for programs and for readers, and what to do next. */
export interface Told {
  data: Record<string, unknown>;
  text: string;
  next: string;
}

const noticeChars = 300;

/** One line, and the end of what it shows. */
export function noticeText({ seq, runId, label, text, output }: Notice): string {
  const shown = output.trim().slice(-noticeChars).trim();
  return `[${seq}] ${runId === null ? '' : `${runId} (${label}): `}${text}${shown === '' ? '' : `\n${shown}`}`;
}

/** Whatever a client shows to its model, the text or the structure, has all of it. */
export function answer({ data, text, next }: Told, { fresh, waiting, last }: RidingNotices): CallToolResult {
  const notices = [
    ...fresh.map((notice) => `notice ${noticeText(notice)}`),
    ...(waiting === 0
      ? []
      : [`${waiting} ${waiting === 1 ? 'notice' : 'notices'} not acknowledged: notices {"ack": ${last}}`]),
  ];
  const short = fresh.map(({ seq, runId, kind, text: told }) => ({ seq, runId, kind, text: told }));
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

/** A hint names the command line; who has only tools is told the call that does the same. */
export function hintForTools(hint: string): string {
  return hint.replace(/\bunstuck (list|poll|log|kill|close)\b(?: (run_[0-9a-f]{12}))?/g, (_, action, id) => {
    const input = id === undefined ? { action } : { action, id };
    return `process ${JSON.stringify(input)}`;
  });
}

/** The same code and message as everywhere; a fault of ours is told as one. */
export function failureAnswer(error: unknown): CallToolResult {
  const { code, message, hint } =
    error instanceof Failure
      ? { code: error.code, message: error.message, hint: hintForTools(error.hint) }
      : { code: 'internal', message: String(error), hint: 'this is a fault of Unstuck: try it otherwise' };
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}\nhint: ${hint}` }],
    structuredContent: { error: { code, message, hint } },
  };
}

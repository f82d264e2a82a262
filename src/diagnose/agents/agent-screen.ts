import type { AgentScreenState } from '../../model/run/agent.js';
import { findQuestion } from '../screen/find-question.js';
import { type ScreenView, shownText, unframed } from '../screen/screen-view.js';

/**
 * The screen layout of one agent. `prompt` and `busy` are matched against the last rows with text, joined by line ends:
 * the output of the model stands above them.
 */
export interface AgentScreen {
  /** The input field of the agent, which takes a new task. It is absent while a question is open. */
  readonly prompt: RegExp;
  /** The agent waits for its model, or runs a command. */
  readonly busy: RegExp;
  /** Matches a row: a command runs; null: not known. */
  readonly tool: RegExp | null;
  /** Matches a row: the question of a dialog. */
  readonly question: RegExp;
  /** The dialog has a menu; without a menu its question is enough. */
  readonly hasMenu: boolean;
  /** One row: the action the dialog asks about, in the first group. */
  readonly subject: RegExp;
}

export interface AgentScreenReading {
  shows: AgentScreenState;
  text: string;
}

/** Rows with text, counted from the bottom: rows of the input field, and rows of a question with its subject. */
const fieldRowsMax = 8;
const questionRowsMax = 24;

/** null: the screen matches nothing known of this agent. */
export function readAgentScreen(table: AgentScreen, view: ScreenView): AgentScreenReading | null {
  const rows = view.lines.filter((row) => row !== '').slice(-questionRowsMax);
  const last = rows.slice(-fieldRowsMax).join('\n');
  const hasPrompt = table.prompt.test(last);
  const question = hasPrompt ? null : questionOf(table, view, rows.map(unframed));
  if (question !== null) return { shows: 'asks', text: question };
  if (!table.busy.test(last)) return hasPrompt ? { shows: 'idle', text: '' } : null;
  return { shows: rows.some((row) => table.tool?.test(row) === true) ? 'tool' : 'thinking', text: '' };
}

function questionOf(table: AgentScreen, view: ScreenView, rows: readonly string[]): string | null {
  const own = findLast(rows, (row) => table.question.test(row));
  const found = findQuestion(view)?.text;
  if (found === undefined && (own === undefined || table.hasMenu)) return null;
  const subjects = rows.map((row) => table.subject.exec(row)?.[1] ?? '');
  const subject = findLast(subjects, (name) => name !== '');
  // Between a question and its menu there may be more text.
  const asked = shownText(own ?? found ?? '');
  return subject === undefined ? asked : shownText(`${asked} (${subject})`);
}

function findLast(rows: readonly string[], is: (row: string) => boolean): string | undefined {
  return [...rows].reverse().find(is);
}

import type { HookAgent, ToolAction } from '../../model/tool.js';
import type { Finding } from '../../model/verdict.js';
import { formatDuration } from '../../text/duration.js';
import { printable } from '../../text/printable.js';

/** A tool that does not go on by itself, and what was done about it. */
export interface StuckTool {
  agent: HookAgent;
  /** Secrets masked. */
  command: string;
  finding: Finding;
  /** How long the tool has run. */
  forMs: number;
  action: ToolAction;
}

const hintCharsMax = 1500;
const commandCharsMax = 80;

const isServer = ({ finding }: StuckTool): boolean => finding.kind === 'service';

/** A command that can be typed after `unstuck start --` as it is. */
const isPlain = (command: string): boolean =>
  command.length <= commandCharsMax && /^[\w@%+=:,./ -]+$/.test(command);

/** What to do instead, with the command itself where a placeholder stands for it. */
export function insteadWords({ finding, command }: Pick<StuckTool, 'finding' | 'command'>): string | null {
  const { instead } = finding;
  if (instead === undefined) return null;
  return isPlain(command) ? instead.replace('start -- COMMAND', `start -- ${command}`) : instead;
}

function doneWords(tool: StuckTool): string {
  const after = formatDuration(tool.forMs);
  switch (tool.action) {
    case 'stopped':
      return `It was stopped ${after} after it began.`;
    case 'answerable':
      return 'It was not stopped: you can type the answer on its terminal.';
    case 'reported':
      return `That was so ${after} after it began. It was not stopped.`;
  }
}

/** For the agent, as context of its tool call. */
export function toolHint(tool: StuckTool): string {
  const what = isServer(tool) ? 'does not end by itself' : 'hung';
  const instead = insteadWords(tool);
  const lines = [
    `Unstuck: this command ${what}: ${tool.finding.reason}. ${doneWords(tool)}`,
    ...(instead === null ? [] : [`Instead: ${instead}.`]),
  ];
  return lines.join('\n').slice(0, hintCharsMax);
}

/** For a person, in one line. */
export function toolNotice(tool: StuckTool): string {
  const { agent, command, finding, action } = tool;
  const text = printable(command);
  const short = text.length <= commandCharsMax ? text : `${text.slice(0, commandCharsMax - 1)}…`;
  const what = isServer(tool) ? 'runs a server in the foreground' : 'hangs';
  const done = action === 'stopped' ? '; it was stopped' : '';
  return `a tool of ${agent} ${what}: ${finding.reason}${done} (${short})`;
}

import type { AgentName } from '../../model/run/agent.js';
import type { AgentScreen } from './agent-screen.js';

/**
 * Seen with Claude Code 2.1.325, Codex 0.166.0, Gemini CLI 0.61.0 and opencode 1.18.33: test/fixtures/screens. A
 * version with a different screen is read as any other program, with less detail. null: the screens of this agent are
 * not known.
 */
export const agentScreens: Readonly<Record<AgentName, AgentScreen | null>> = {
  claude: {
    // A row between two rules.
    prompt: /^─{20,}\n❯(?! \d+\.)/m,
    busy: /─{20,}\n[^\n]*esc to interrupt[^\n]*$|(?:^|\n)[✢✳✶✻✽·∗*] \S+… \(/,
    tool: /^\s+⎿\s+\$ |\(ctrl\+b to run in background\)/,
    question: /^Do you want to .*\?$/,
    hasMenu: true,
    subject: /^● \w+\((.{1,150})\)$/,
  },
  codex: {
    // Below it there are only hints, which are indented.
    prompt: /(?:^|\n)› (?!\d+\. )[^\n]*(?:\n {2,}[^\n]*){1,3}$/,
    busy: /^[•◦] [^\n]{1,60}\(\w[\w ]{0,12} • esc to interrupt\)/m,
    tool: /^• Running /,
    question: /^Would you like to .*\?$/,
    hasMenu: true,
    subject: /^\$ (.{1,150})$/,
  },
  gemini: {
    prompt: /^ [>!*] {3}Type your message|^ [>!*] [^\n]*\n workspace /m,
    busy: /^ [\u2800-\u28ff] [^\n]*\(esc to cancel, /m,
    tool: /^[│ ]*⊶ /,
    question: /^(?:Allow|Apply|Do you) .*\?$/,
    hasMenu: true,
    subject: /^\? \w+ +(.{1,150})$/,
  },
  opencode: {
    prompt: /\bctrl\+p commands\b/,
    busy: /\besc (?:again to )?interrupt\b[^\n]*ctrl\+p commands/,
    tool: null,
    question: /^△ Permission required/,
    hasMenu: false,
    subject: /^\$ (.{1,150})$/,
  },
  qwen: null,
  droid: null,
};

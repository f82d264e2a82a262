import type { AgentName } from '../../model/run/agent.js';
import type { AgentProfile } from './profile.js';
import { claude } from './profiles/claude.js';
import { codex } from './profiles/codex.js';
import { droid } from './profiles/droid.js';
import { gemini } from './profiles/gemini.js';
import { opencode } from './profiles/opencode.js';
import { qwen } from './profiles/qwen.js';

/** A new agent is a new file and a row here. */
export const agentProfiles: Readonly<Record<AgentName, AgentProfile>> = {
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  droid,
};

import type { BenchAgent } from './agent.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { opencode } from './opencode.js';
import { qwen } from './qwen.js';

/** The agents that run against the scripted API. A new one is a new file and an entry here. */
export const benchAgents: readonly BenchAgent[] = [claude, codex, gemini, opencode, qwen];

import type { Tool } from '../tool.js';
import { notices } from './notices.js';
import { orphans } from './orphans.js';
import { processTool } from './process.js';
import { start } from './start.js';
import { why } from './why.js';

export const tools: readonly Tool[] = [start, processTool, why, orphans, notices];

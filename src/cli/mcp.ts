import { serveMcp } from '../mcp/serve.js';
import { note } from './background/print.js';
import { endNow } from './end-now.js';
import { fail } from './fail.js';
import { printMcpConfig } from './mcp-config.js';
import { type McpFlags, readMcpFlags } from './mcp-flags.js';

/** `unstuck mcp`. */
export async function runMcp(flags: McpFlags): Promise<void> {
  try {
    const options = readMcpFlags(flags);
    if (flags.printConfig !== undefined) return printMcpConfig(flags.printConfig, flags);
    await serveMcp(options, note);
    endNow(0, false);
  } catch (error) {
    fail(error, false);
  }
}

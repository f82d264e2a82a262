import { serveMcp } from '../../../mcp/serve.js';
import { note } from '../../output/print.js';
import { endNow } from '../../shared/end-now.js';
import { fail } from '../../shared/fail.js';
import { printMcpConfig } from './config.js';
import { type McpFlags, readMcpFlags } from './flags.js';

const terminalNote = `This is an MCP server that waits for an agent on stdin; Ctrl-C ends it.
To configure your agent: unstuck mcp --print-config claude`;

/** `unstuck mcp`. */
export async function runMcp(flags: McpFlags): Promise<void> {
  try {
    const options = readMcpFlags(flags);
    if (flags.printConfig !== undefined) return printMcpConfig(flags.printConfig, flags);
    if (process.stdin.isTTY) note(terminalNote);
    await serveMcp(options, note);
    endNow(0, false);
  } catch (error) {
    fail(error, false);
  }
}

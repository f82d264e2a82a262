import * as mcp from './mcp.js';
import { addMcpCommand } from './mcp-command.js';
import { newProgram } from './new-program.js';

/** `unstuck mcp` in a bundle of its own: an agent waits for its first answer. */
export async function runMcpDirectly(): Promise<void> {
  const program = newProgram();
  addMcpCommand(program, async () => mcp);
  await program.parseAsync();
}

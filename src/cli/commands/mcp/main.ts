import * as mcp from './mcp.js';
import { addMcpCommand } from './command.js';
import { newProgram } from '../../shared/new-program.js';

/** `unstuck mcp` as a bundle of its own, for a quick start. */
export async function runMcpDirectly(): Promise<void> {
  const program = newProgram();
  addMcpCommand(program, async () => mcp);
  await program.parseAsync();
}

import { newProgram } from '../../shared/new-program.js';
import { addMcpCommand } from './command.js';
import { runMcp } from './mcp.js';

/** `unstuck mcp` as a bundle of its own, for a quick start. */
export async function runMcpDirectly(): Promise<void> {
  const program = newProgram();
  addMcpCommand(program, runMcp);
  await program.parseAsync();
}

import { buildProgram } from '../../src/cli/program.js';

/** What `unstuck NAME --help` prints, without a process for it; of an empty name `unstuck --help`. */
export function helpOf(name: string): string {
  const program = buildProgram(['node', 'unstuck', name || '--help']);
  const command = program.commands.find((one) => one.name() === name) ?? program;
  let text = '';
  const writeOut = (piece: string) => {
    text += piece;
  };
  command.configureOutput({ writeOut, getOutHelpWidth: () => 80 }).outputHelp();
  return text;
}

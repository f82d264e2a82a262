import { Argument, type Command } from '@commander-js/extra-typings';

/** `unstuck completion`: names and help only. */
export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('print a shell completion script')
    .addArgument(new Argument('<shell>', 'which shell it is for').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      `
Examples:
  source <(unstuck completion bash)     in ~/.bashrc
  source <(unstuck completion zsh)      in ~/.zshrc, after compinit
  unstuck completion fish | source      in ~/.config/fish/config.fish`,
    )
    .action(async (shell) => {
      const { runCompletion } = await import('./completion.js');
      runCompletion(shell, program);
    });

  // Used by the completion scripts only.
  program
    .command('complete-ids', { hidden: true })
    .argument('<which>')
    .argument('[word]')
    .action(async (which, word) => {
      const { runCompleteIds } = await import('./complete-ids.js');
      runCompleteIds(which, word ?? '');
    });
}

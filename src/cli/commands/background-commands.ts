import type { Command } from '@commander-js/extra-typings';
import { addAttachCommand, addInputCommands, addKillCommand } from './act-commands.js';
import { addNoticesCommand } from './notices/command.js';
import { addOutputCommands, addTableCommands, addWaitCommand } from './read-commands.js';
import { addStartCommand } from './start/command.js';

/** All commands for background runs; `complete`: add the many options of `start`. */
export function addBackgroundCommands(program: Command, complete: boolean): void {
  addStartCommand(program, complete);
  addTableCommands(program);
  addOutputCommands(program);
  addWaitCommand(program);
  addNoticesCommand(program);
  addInputCommands(program);
  addAttachCommand(program);
  addKillCommand(program);
}

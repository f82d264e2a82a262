// Waits for a command and does nothing else.
import { execa } from 'execa';

const [command = '', ...args] = process.argv.slice(2);
await execa(command, args, { stdio: 'ignore' });

// What a script has to say to keep a command's output in a file and pass it on: FILE, then the command.
import { rmSync } from 'node:fs';
import { execa } from 'execa';

const [file = '', command = '', ...args] = process.argv.slice(2);
await execa(command, args, { stdout: [{ file }, 'inherit'], buffer: false });
rmSync(file);

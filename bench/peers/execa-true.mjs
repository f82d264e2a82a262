import { execa } from 'execa';

await execa('true');

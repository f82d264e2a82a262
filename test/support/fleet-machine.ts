import { BackgroundHome } from './background-home.js';
import { runCli } from './run-cli.js';

/** A machine of a fleet: a state home with its own daemon. */
export class FleetMachine extends BackgroundHome {
  async cli(...argv: string[]) {
    return await runCli(argv, this.env);
  }

  // biome-ignore lint/suspicious/noExplicitAny: each answer is checked by its test.
  async json(...argv: string[]): Promise<any> {
    const { stdout, stderr } = await this.cli(...argv);
    return JSON.parse(stdout === '' ? stderr : stdout);
  }
}

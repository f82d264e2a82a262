import pc from 'picocolors';
import { type DemoScene, demo } from '../../../control/demo/demo.js';
import { jsonText } from '../../../text/json-text.js';
import { useColor } from '../../output/color.js';
import { fail } from '../../shared/fail.js';
import { renderAnswer } from '../why/render.js';

const endedBySignal: Partial<Record<NodeJS.Signals, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function renderScene({ title, command, answer }: DemoScene, number: number, color: boolean): string {
  const colors = pc.createColors(color);
  return [
    colors.bold(`${number}. ${title}`),
    '',
    colors.dim(`$ ${command}`),
    colors.dim(`$ unstuck why ${answer.target.pid}`),
    renderAnswer(answer, color),
    '',
  ].join('\n');
}

async function show(json: boolean, signal: AbortSignal): Promise<void> {
  const write = (text: string) => process.stdout.write(text);
  if (!json) write('This starts three real programs, one after the other, and explains each.\n\n');
  let number = 0;
  for await (const scene of demo({ signal })) {
    number += 1;
    write(json ? `${jsonText(scene)}\n` : renderScene(scene, number, useColor()));
  }
  if (!json) write('All three are stopped. Try one of your own: unstuck why PID\n');
}

/** `unstuck demo`. However it ends, its programs end with it. */
export async function runDemo(flags: { json?: true | undefined }): Promise<void> {
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals): void => {
    process.exitCode = endedBySignal[signal] ?? 1;
    stop.abort();
  };
  for (const name of Object.keys(endedBySignal)) process.once(name, onSignal);
  // The reader of the output (head, a pager) is gone.
  process.stdout.on('error', () => stop.abort());
  try {
    await show(flags.json === true, stop.signal);
  } catch (error) {
    if (!stop.signal.aborted) fail(error, flags.json === true);
  } finally {
    for (const name of Object.keys(endedBySignal)) process.removeListener(name, onSignal);
  }
}

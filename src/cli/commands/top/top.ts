import { canDraw, useColor } from '../../output/color.js';
import { printJson, say } from '../../output/print.js';
import { type JsonFlag, withDaemon } from '../../shared/call.js';
import { orderRuns } from '../ps/order-runs.js';
import { psLines } from '../ps/ps.js';

/** `unstuck top`. Where no screen can be drawn, or no key pressed, the table is printed once. */
export const runTop = (flags: JsonFlag) =>
  withDaemon(flags, async (call) => {
    if (!flags.json && canDraw(process.stdout) && process.stdin.isTTY) {
      const { LiveTop } = await import('./live.js');
      return new LiveTop(call).show();
    }
    const output = await call('list', {});
    if (flags.json) return printJson({ ...output, runs: orderRuns(output.runs) });
    const columns = process.stdout.isTTY ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY;
    say(psLines(output, { all: true }, { columns, color: useColor() }).join('\n'));
  });

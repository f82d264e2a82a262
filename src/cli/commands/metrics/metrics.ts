import { metrics, serveMetrics } from '../../../control/metrics.js';
import { jsonDocument } from '../../output/json-document.js';
import { endWithReader } from '../../shared/end-with-reader.js';
import { fail } from '../../shared/fail.js';
import { onInterrupt } from '../../shared/on-interrupt.js';

/** `unstuck metrics`. */
export async function runMetrics({
  listen,
  json,
}: {
  listen?: string | undefined;
  json?: true | undefined;
}): Promise<void> {
  endWithReader();
  try {
    if (listen === undefined) {
      process.stdout.write(await metrics());
      return;
    }
    const server = await serveMetrics(listen);
    process.stdout.write(json ? jsonDocument({ url: server.url }) : `serving ${server.url}, until Ctrl-C\n`);
    const release = onInterrupt(() => {
      server.close();
      release();
    });
  } catch (error) {
    fail(error, json === true);
  }
}

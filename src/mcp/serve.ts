import { once } from 'node:events';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { escapeJson } from '../text/json-text.js';
import { createServer } from './server.js';
import { type McpOptions, Session } from './session.js';

/** More than any operation takes: an oversized request gets an error and does not end the connection. */
const messageBytesMax = 32 * 1024 * 1024;

/** Serves the client on stdin and stdout until it disconnects. Nothing but the protocol is written to stdout. */
export async function serveMcp(options: McpOptions, note: (text: string) => void): Promise<void> {
  const session = new Session(options);
  const { stdin, stdout } = process;
  // Many pending answers listen on the same pipe.
  stdout.setMaxListeners(0);
  // The package writes each message as one JSON text per call.
  const write = stdout.write.bind(stdout);
  stdout.write = ((message: string) => write(escapeJson(message))) as typeof stdout.write;
  const transport = new StdioServerTransport(stdin, stdout, { maxBufferSize: messageBytesMax });
  const gone = Promise.race([
    ...['end', 'close', 'error'].map((event) => once(stdin, event)),
    // The reader of the pipe is gone.
    once(stdout, 'error').catch(() => {}),
    ...['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)),
  ]).catch(() => {});
  const served = serveStdio(() => createServer(session), {
    transport,
    onerror: ({ message }) => note(`unstuck mcp: ${message}`),
  });
  await gone;
  await served.close();
  const summary = await session.end();
  if (summary !== null) note(`unstuck mcp: ${summary}`);
}

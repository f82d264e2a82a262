import { once } from 'node:events';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { escapeJson } from '../text/json-text.js';
import { MessageFilter } from './message-filter.js';
import { createServer } from './server.js';
import { type McpOptions, Session } from './session.js';

/** More than any operation takes: an oversized request gets an error and does not end the connection. */
const messageBytesMax = 32 * 1024 * 1024;
const noteCharsMax = 300;

/** Serves the client on stdin and stdout until it disconnects. Nothing but the protocol is written to stdout. */
export async function serveMcp(options: McpOptions, note: (text: string) => void): Promise<void> {
  const session = new Session(options);
  const { stdin, stdout } = process;
  // Many pending answers listen on the same pipe.
  stdout.setMaxListeners(0);
  // The package writes each message as one JSON text per call.
  const write = stdout.write.bind(stdout);
  stdout.write = ((message: string) => write(escapeJson(message))) as typeof stdout.write;
  const messages = new MessageFilter(messageBytesMax, ({ id, ...error }) => {
    note(`unstuck mcp: ${error.message}`);
    stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, error })}\n`);
  });
  const transport = new StdioServerTransport(stdin.pipe(messages), stdout, {
    maxBufferSize: messageBytesMax,
  });
  const gone = Promise.race([
    ...['end', 'close', 'error'].map((event) => once(stdin, event)),
    // The reader of the pipe is gone.
    once(stdout, 'error').catch(() => {}),
    ...['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => once(process, signal)),
  ]).catch(() => {});
  const served = serveStdio(() => createServer(session), {
    transport,
    onerror: ({ message }) => note(`unstuck mcp: ${message.replace(/\s+/g, ' ').slice(0, noteCharsMax)}`),
  });
  await gone;
  await served.close();
  stdin.unpipe(messages).pause();
  const summary = await session.end();
  if (summary !== null) note(`unstuck mcp: ${summary}`);
}

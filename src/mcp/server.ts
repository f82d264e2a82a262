import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  inputResponse,
  isInputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Failure } from '../model/failure.js';
import { answer, failureAnswer } from './answer.js';
import { addResources } from './resources.js';
import type { Session } from './session.js';
import { describe, type Reply, readInput, type ToolContext } from './tool.js';
import { tools } from './tools/table.js';
import { instructions } from './words.js';

/** Serves one client, with the old or the new protocol. */
export function createServer(session: Session): Server {
  const server = new Server(
    { name: 'unstuck', title: 'Unstuck', version: __UNSTUCK_VERSION__ },
    { capabilities: { tools: {}, resources: {} }, instructions },
  );
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(describe) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { signal } = mcpReq;
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no such tool; use one of: ${names}`);
    }
    session.setClientName(clientName(server, mcpReq));
    try {
      const input = readInput(tool, params.arguments ?? {});
      const context: ToolContext = {
        session,
        signal,
        reportProgress: progressReporter(mcpReq),
        reply: replyOf(server, mcpReq),
      };
      const result = await session.calls.use(() => tool.handle(input, context));
      return isInputRequiredResult(result) ? result : answer(result, await session.notices.take(result.data));
    } catch (error) {
      // The client has cancelled the request.
      if (signal.aborted) throw error;
      if (!(error instanceof Failure)) console.error('unstuck: internal error\n', error);
      return failureAnswer(error);
    }
  });
  addResources(server, session);
  return server;
}

type Request = ServerContext['mcpReq'];

/** The new protocol sends the name with every request, the old one once. */
function clientName(server: Server, { envelope }: Request): string {
  const name = (envelope as Envelope | undefined)?.[CLIENT_INFO_META_KEY]?.name;
  return typeof name === 'string' ? name : (server.getClientVersion()?.name ?? 'client');
}

/** Untrusted; the types of the package leave it open. */
interface Envelope {
  [CLIENT_INFO_META_KEY]?: { name?: unknown };
  [CLIENT_CAPABILITIES_META_KEY]?: { elicitation?: unknown };
}

function replyOf(server: Server, { envelope, inputResponses }: Request): Reply {
  const capabilities = (envelope as Envelope | undefined)?.[CLIENT_CAPABILITIES_META_KEY];
  const { elicitation } = capabilities ?? server.getClientCapabilities() ?? {};
  if (elicitation === undefined) return { kind: 'cannot' };
  const response = inputResponse(inputResponses, 'answer');
  if (response.kind !== 'elicit') return { kind: 'not-asked' };
  const text = response.action === 'accept' ? response.content?.answer : undefined;
  return typeof text === 'string' ? { kind: 'answered', text } : { kind: 'declined' };
}

function progressReporter({ _meta, notify }: Request): ToolContext['reportProgress'] {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, total, message) => {
    const params = { progressToken, progress, total, message };
    // The client may have disconnected meanwhile.
    notify({ method: 'notifications/progress', params }).catch(() => {});
  };
}

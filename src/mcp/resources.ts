import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { background } from '../control/background.js';
import { Failure } from '../model/failure.js';
import { oneLine, quoted } from '../text/visible.js';
import type { Session } from './session.js';
import { shownData } from './shown-data.js';

/** Resources that a client can attach to a conversation: the list of runs, and each log. */
const runsUri = 'unstuck://runs';
const logUri = /^unstuck:\/\/runs\/(run_[0-9a-f]{12})\/log$/;
const uriOf = (id: string) => `${runsUri}/${id}/log`;

const listedMax = 100;
const linesMax = 2000;
const labelChars = 60;

export function addResources(server: Server, session: Session): void {
  server.setRequestHandler('resources/list', async (_, { mcpReq: { signal } }) => {
    const { runs } = await background.list(session.scope(false), { signal });
    const logs = runs.slice(-listedMax).map(({ id, label, status }) => ({
      uri: uriOf(id),
      name: `${quoted(label, labelChars)} (${id})`,
      description: `Output of ${quoted(label, labelChars)}, ${status}`,
      mimeType: 'text/plain',
    }));
    const list = {
      uri: runsUri,
      name: 'runs',
      description: 'The runs of this client',
      mimeType: 'application/json',
    };
    return { resources: [list, ...logs] };
  });

  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${runsUri}/{id}/log`,
        name: 'log',
        description: 'Output of a run',
        mimeType: 'text/plain',
      },
    ],
  }));

  server.setRequestHandler('resources/read', async ({ params: { uri } }, { mcpReq: { signal } }) => {
    try {
      return { contents: [await read(uri, session, signal)] };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { code, message, hint } = error;
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `${message} (${hint})`, {
        code,
        message,
        hint,
      });
    }
  });
}

async function read(uri: string, session: Session, signal: AbortSignal) {
  if (uri === runsUri) {
    const { runs } = await background.list(session.scope(false), { signal });
    return { uri, mimeType: 'application/json', text: JSON.stringify(shownData(runs)) };
  }
  const id = logUri.exec(uri)?.[1];
  if (id === undefined) {
    throw new Failure(
      'no-such-run',
      `no such resource: ${quoted(uri, 100)}`,
      `use ${runsUri} or ${uriOf('ID')}`,
    );
  }
  const which = { id, ...session.scope(false), limit: linesMax, plain: true };
  const { lines } = await background.log(which, { signal });
  return { uri, mimeType: 'text/plain', text: lines.map(oneLine).join('\n') };
}

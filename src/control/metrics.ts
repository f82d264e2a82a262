import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Failure } from '../model/failure.js';
import { stateHome } from '../store/state-home.js';
import { exchange, LostConnection } from './client/exchange.js';

/** Content type of the Prometheus text format. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';
const answerMs = 10_000;

const up = (value: 0 | 1) =>
  `# HELP unstuck_up Whether the daemon runs. It runs while there is something to do.\n# TYPE unstuck_up gauge\nunstuck_up ${value}\n`;

/** The numbers of the daemon in the text format of Prometheus. No daemon is started for it. */
export async function metrics(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  try {
    const { status, text } = await exchange(stateHome(env), {
      method: 'GET',
      path: '/metrics',
      signal: AbortSignal.timeout(answerMs),
    });
    if (status === 200) return up(1) + text;
    throw new Failure(
      'no-daemon',
      `the daemon answered with status ${status}`,
      'see its log: unstuck daemon status',
    );
  } catch (error) {
    if (error instanceof LostConnection) return up(0);
    throw error;
  }
}

export interface MetricsServer {
  /** `http://127.0.0.1:9464/metrics` */
  url: string;
  close(): void;
}

/** Serves the numbers over HTTP. Throws a Failure when the address cannot be used. */
export async function serveMetrics(address: string): Promise<MetricsServer> {
  const { host, port } = addressOf(address);
  const server = http.createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('the numbers are at /metrics\n');
      return;
    }
    try {
      const body = await metrics();
      response.writeHead(200, { 'content-type': metricsType }).end(body);
    } catch (error) {
      response.writeHead(503, { 'content-type': 'text/plain' }).end(`${(error as Error).message}\n`);
    }
  });
  server.headersTimeout = answerMs;
  server.requestTimeout = answerMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new Failure('cannot-start', `cannot listen on ${address} (${cause.code})`, 'choose another port', {
          cause,
        }),
      ),
    );
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  const shown = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${shown}:${bound.port}/metrics`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** `127.0.0.1:9464`, `[::1]:9464`, or a port alone, which is on this machine only. */
function addressOf(text: string): { host: string; port: number } {
  const [, ipv6, name, digits = ''] = /^(?:(?:\[([\da-f:.]+)\]|([\w.-]+)):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits !== '' && port <= 65_535) return { host: ipv6 ?? name ?? '127.0.0.1', port };
  throw new Failure(
    'bad-input',
    `${JSON.stringify(text)} is not an address`,
    'write it like this: 127.0.0.1:9464',
  );
}

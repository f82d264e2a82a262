import { once } from 'node:events';
import fs from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { daemonSettings } from '../../src/config/daemon-settings.js';
import { createApp } from '../../src/daemon/app.js';
import { DaemonLog } from '../../src/daemon/log.js';
import { createServer } from '../../src/daemon/server.js';
import { Visits } from '../../src/daemon/visits.js';
import { removeDirectory } from '../support/remove-directory.js';
import { parts } from './programs/fake-parts.js';

const hello = { version: '1.0.0', protocol: 1, pid: 1, startedAt: '', runs: 0, trouble: null, home: '' };

/** The HTTP server of a daemon in this process, with a state home of its own. */
export class HttpHome {
  readonly path = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-http-'));
  readonly #server: Server;
  readonly #sockets: Socket[] = [];

  constructor(limits: Parameters<typeof createServer>[2] = {}) {
    const { operations } = parts;
    const registry = () => parts.openRegistry(this.path, daemonSettings({}));
    const [visits, log] = [new Visits(), new DaemonLog(this.path)];
    const app = createApp({ operations, registry, hello: () => hello, leave: () => {}, visits, log });
    this.#server = createServer(app, visits, limits);
  }

  async listen(): Promise<void> {
    this.#server.listen(path.join(this.path, 'daemon.sock'));
    await once(this.#server, 'listening');
  }

  /** A connection on which this is said; errors are no news. */
  async connect(words: string | Buffer = ''): Promise<Socket> {
    const socket = connect(path.join(this.path, 'daemon.sock'));
    this.#sockets.push(socket);
    socket.on('error', () => {});
    await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => {});
    if (words.length > 0) socket.write(words);
    return socket;
  }

  get log(): string {
    const file = path.join(this.path, 'daemon.log');
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  }

  async end(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.closeAllConnections();
    this.#server.close();
    await removeDirectory(this.path);
  }
}

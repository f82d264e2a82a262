import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listeningPorts } from '../../src/probe/ports.js';
import { freePort } from '../../test/support/free-port.js';

interface ServerOptions {
  /** 3: a cluster. */
  count?: number;
  /** More settings of JetStream; null: without JetStream. */
  jetstream?: string | null;
  /** Besides addresses and store, in the language of nats-server's own configuration. */
  config?: string;
}

interface Ports {
  client: number;
  route: number;
  monitor: number;
}

const startMsMax = 60_000;

/** NATS servers on loopback: one, or a cluster of three. Each can be killed, stopped and started again. */
export class NatsServers {
  readonly #store: string;
  readonly #config: string;
  readonly #jetstream: string | null;
  readonly ports: readonly Ports[];
  readonly #children: (ChildProcess | null)[];

  private constructor(
    store: string,
    { config = '', jetstream = '' }: ServerOptions,
    ports: readonly Ports[],
  ) {
    this.#store = store;
    this.#config = config;
    this.#jetstream = jetstream;
    this.ports = ports;
    this.#children = ports.map(() => null);
  }

  static async begin(store: string, options: ServerOptions = {}): Promise<NatsServers> {
    const { count = 1 } = options;
    const free = await freePorts(count * 3);
    const ports = Array.from({ length: count }, (_, at) => {
      const [client = 0, route = 0, monitor = 0] = free.slice(at * 3);
      return { client, route, monitor };
    });
    fs.mkdirSync(store, { recursive: true });
    const servers = new NatsServers(store, options, ports);
    try {
      await Promise.all(ports.map((_, at) => servers.start(at)));
      await servers.untilLed();
      return servers;
    } catch (error) {
      await servers.end();
      throw error;
    }
  }

  get count(): number {
    return this.ports.length;
  }

  get url(): string {
    return this.ports.map(({ client }) => `nats://127.0.0.1:${client}`).join(',');
  }

  async start(at: number): Promise<void> {
    const own = this.ports[at];
    if (own === undefined) return;
    const routes = this.ports.map(({ route }) => `nats://127.0.0.1:${route}`).join(', ');
    const cluster = `cluster { name: bench, listen: "127.0.0.1:${own.route}", routes: [${routes}] }`;
    const file = join(this.#store, `server${at}.conf`);
    const dir = JSON.stringify(join(this.#store, `server${at}`));
    const lines = [
      `server_name: server${at}`,
      `listen: "127.0.0.1:${own.client}"`,
      `http: "127.0.0.1:${own.monitor}"`,
      ...(this.#jetstream === null ? [] : [`jetstream { store_dir: ${dir}, ${this.#jetstream} }`]),
      ...(this.count === 1 ? [] : [cluster]),
      this.#config,
    ];
    fs.writeFileSync(file, `${lines.join('\n')}\n`, { mode: 0o600 });
    const child = spawn('nats-server', ['-c', file], { stdio: 'ignore' });
    this.#children[at] = child;
    await until(() => {
      if (child.exitCode !== null) throw new Error(`nats-server -c ${file} ended with ${child.exitCode}`);
      // Another server may have taken the port meanwhile, and would answer in its place.
      return listeningPorts([child.pid ?? -1]).includes(own.client);
    });
  }

  /** A cluster chooses the leader of its metadata first. */
  async untilLed(): Promise<void> {
    if (this.count > 1) await until(async () => (await this.leader()) !== null);
  }

  /** The server that leads the cluster; null: none now. */
  async leader(): Promise<number | null> {
    for (const { monitor } of this.ports) {
      try {
        const answer = await fetch(`http://127.0.0.1:${monitor}/jsz`, { signal: AbortSignal.timeout(500) });
        const { meta_cluster: meta } = (await answer.json()) as { meta_cluster?: { leader?: string } };
        const at = Number(meta?.leader?.replace('server', ''));
        if (meta?.leader !== undefined && meta.leader !== '' && this.#children[at] != null) return at;
      } catch {
        // This one does not answer: the next may.
      }
    }
    return null;
  }

  async kill(at: number): Promise<void> {
    const child = this.#children[at];
    if (child == null) return;
    this.#children[at] = null;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }

  /** Its connections stall without closing. */
  async stall(at: number, ms: number): Promise<void> {
    this.#children[at]?.kill('SIGSTOP');
    await delay(ms);
    this.#children[at]?.kill('SIGCONT');
  }

  /** CPU time of all servers so far. */
  cpuMs(): number {
    const ticks = this.#children.map((child) => {
      if (child?.pid === undefined) return 0;
      const [, after = ''] = fs.readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ');
      const fields = after.split(' ');
      return Number(fields[11]) + Number(fields[12]);
    });
    return ticks.reduce((sum, own) => sum + own, 0) * 10;
  }

  async end(): Promise<void> {
    for (let at = 0; at < this.count; at += 1) await this.kill(at);
  }
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + startMsMax;
  while (!(await condition())) {
    if (performance.now() > endMs) throw new Error('the NATS servers do not start');
    await delay(20);
  }
}

/** A server that is killed needs its port again. */
async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

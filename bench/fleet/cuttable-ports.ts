import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * The network between one member and the servers: a port in front of each server, all of which can be cut. `lateMs`: what
 * goes through arrives so much later, in each direction.
 */
export class CuttablePorts {
  readonly #listeners: net.Server[] = [];
  readonly #sockets = new Set<net.Socket>();
  readonly #lateMs: number;
  #isCut = false;
  url = '';

  private constructor(lateMs: number) {
    this.#lateMs = lateMs;
  }

  static async begin(targets: readonly number[], lateMs = 0): Promise<CuttablePorts> {
    const ports = new CuttablePorts(lateMs);
    const urls = [];
    for (const target of targets) urls.push(`nats://127.0.0.1:${await ports.#listen(target)}`);
    ports.url = urls.join(',');
    return ports;
  }

  async #listen(target: number): Promise<number> {
    const listener = net.createServer((inner) => this.#join(inner, target));
    this.#listeners.push(listener);
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    return (listener.address() as net.AddressInfo).port;
  }

  #join(inner: net.Socket, target: number): void {
    const outer = net.connect(target, '127.0.0.1');
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      this.#sockets.add(one);
      one.setNoDelay(true);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        this.#sockets.delete(one);
        other.destroy();
      });
      // What is sent during a cut is lost with the connection.
      one.on('data', (bytes) => {
        if (this.#isCut) return;
        // Timers of the same length fire in the order in which they were set.
        if (this.#lateMs > 0) setTimeout(() => !other.destroyed && other.write(bytes), this.#lateMs);
        else other.write(bytes);
      });
    }
  }

  /** Nothing arrives, and no side learns of it. After that the connections are gone. */
  async cut(ms: number): Promise<void> {
    this.#isCut = true;
    await delay(ms);
    for (const socket of this.#sockets) socket.destroy();
    this.#isCut = false;
  }

  end(): void {
    for (const listener of this.#listeners) listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

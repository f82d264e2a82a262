import net from 'node:net';

/** A port in front of a server; what goes through it arrives later, in each direction. */
export class SlowPort {
  readonly #listener: net.Server;
  readonly #sockets = new Set<net.Socket>();

  private constructor(target: number, ms: number) {
    this.#listener = net.createServer((inner) => {
      const outer = net.connect(target, '127.0.0.1');
      for (const [one, other] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.#sockets.add(one);
        one.setNoDelay(true);
        one.on('error', () => other.destroy());
        one.on('close', () => other.destroy());
        // Timers of the same length fire in the order in which they were set.
        one.on('data', (bytes) => void setTimeout(() => !other.destroyed && other.write(bytes), ms));
      }
    });
  }

  static async begin(target: number, ms: number): Promise<SlowPort> {
    const port = new SlowPort(target, ms);
    await new Promise<void>((resolve) => port.#listener.listen(0, '127.0.0.1', resolve));
    return port;
  }

  get url(): string {
    return `nats://127.0.0.1:${(this.#listener.address() as net.AddressInfo).port}`;
  }

  end(): void {
    this.#listener.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

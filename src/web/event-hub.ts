import type { ServerResponse } from 'node:http';
import { RunFeed } from '../control/client/run-feed.js';
import type { WebEvents, WebHello } from '../model/web.js';

/** What is not read yet of all of them together must fit into memory. */
const pagesMax = 32;
/** A page that does not read is dropped; it connects again by itself. */
const unreadBytesMax = 8 * 1024 * 1024;
/** Keeps the connection open, shows a page whose server is gone, and tells of a fleet that was joined since. */
const helloMs = 15_000;

interface HubOptions {
  hello: () => WebHello;
  home: string;
  env: NodeJS.ProcessEnv;
}

/** Passes the changes of runs to all open pages. The daemon is asked only while there is one. */
export class EventHub {
  readonly #pages = new Set<ServerResponse>();
  readonly #options: HubOptions;
  #following: { feed: RunFeed; stop: AbortController } | null = null;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  get isFull(): boolean {
    return this.#pages.size >= pagesMax;
  }

  add(page: ServerResponse): void {
    this.#pages.add(page);
    page.once('close', () => this.#remove(page));
    page.write(eventText('hello', this.#options.hello()));
    const known = this.#following?.feed.whole ?? null;
    if (known !== null) page.write(eventText('runs', known));
    if (this.#following === null) this.#follow();
  }

  close(): void {
    this.#following?.stop.abort();
    for (const page of this.#pages) page.end();
  }

  #remove(page: ServerResponse): void {
    this.#pages.delete(page);
    if (this.#pages.size > 0) return;
    this.#following?.stop.abort();
    this.#following = null;
  }

  #follow(): void {
    const stop = new AbortController();
    const feed = new RunFeed((name, data) => this.#tellAll(eventText(name, data)), this.#options);
    this.#following = { feed, stop };
    const still = setInterval(() => this.#tellAll(eventText('hello', this.#options.hello())), helloMs);
    void feed.follow(stop.signal).finally(() => clearInterval(still));
  }

  #tellAll(text: string): void {
    for (const page of this.#pages) {
      if (page.writableLength > unreadBytesMax) page.destroy();
      else page.write(text);
    }
  }
}

function eventText<Name extends keyof WebEvents>(name: Name, data: WebEvents[Name]): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

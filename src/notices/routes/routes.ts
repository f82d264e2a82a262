import fs from 'node:fs';
import path from 'node:path';
import { Failure } from '../../model/failure.js';
import type { Notice, NoticeEvent } from '../../model/notice.js';
import { makeDirectory } from '../../store/files.js';
import { RunDirectory } from '../../store/run-directory.js';
import { Delivered } from '../delivered.js';
import { Deliveries, type DeliveryOptions, deliveredUpTo, type RunToDeliver } from '../deliveries.js';
import { formatFor } from './formats.js';
import { readRoutes } from './read-routes.js';
import { eventsOf, type Route, type RouteTarget, routesTo } from './route.js';

export interface RoutesOptions {
  home: string;
  /** null: there is no directory for configuration. */
  file: string | null;
  /** The last number that was given, and all notices after a number. */
  log: { readonly last: number; after(seq: number): readonly Notice[] };
  deliveries?: DeliveryOptions;
}

/**
 * Delivers notices of all runs to the targets in routes.json. Each route has a directory in the state home, like a run:
 * delivered.json records how far it is, so that the next daemon continues from there.
 */
export class Routes {
  readonly #options: RoutesOptions;
  readonly #deliveries: Deliveries;
  #routes: readonly Route[] = [];
  #stamp = '';
  /** Why the file cannot be used; null: it can. The routes before the fault stay in force. */
  fault: string | null = null;

  constructor(options: RoutesOptions) {
    this.#options = options;
    this.#deliveries = new Deliveries(options.deliveries);
    this.#refresh();
  }

  /** Number of notices that are not delivered yet. */
  get pending(): number {
    return this.#deliveries.pending();
  }

  /** Events that a run reports because a route asks for them. */
  eventsFor(about: Parameters<typeof routesTo>[1]): NoticeEvent[] {
    this.#refresh();
    return eventsOf(this.#routes, about);
  }

  push(notice: Notice): void {
    this.#refresh();
    for (const route of this.#routes) if (takes(route, notice)) this.#deliveries.pushTo(route.name, notice);
  }

  close(): Promise<void> {
    return this.#deliveries.close();
  }

  /** The file is read again when it has changed. */
  #refresh(): void {
    const { file } = this.#options;
    if (file === null) return;
    try {
      const stamp = stampOf(file);
      if (stamp === this.#stamp) return;
      this.#stamp = stamp;
      const routes = readRoutes(file);
      for (const { name } of this.#routes) this.#deliveries.forget(name);
      this.#routes = routes;
      for (const route of routes) this.#open(route);
      this.fault = null;
    } catch (error) {
      this.fault = (error as Error).message;
      // The file is in order, and something else failed: it is tried again.
      if (!(error instanceof Failure) || error.code !== 'bad-config') this.#stamp = 'unread';
    }
  }

  #open(route: Route): void {
    const { home, log } = this.#options;
    const place = path.join(home, 'routes');
    makeDirectory(path.join(place, route.name), 0o700);
    const directory = new RunDirectory(place, route.name);
    const wishes = wishesOf(route.target);
    // A new route begins with the next notice.
    if (!fs.existsSync(directory.file('delivered.json'))) new Delivered(directory).begin(log.last);
    const notices = log.after(deliveredUpTo(directory, wishes)).filter((notice) => takes(route, notice));
    this.#deliveries.add({ directory, cwd: home, wishes, notices: [] });
    for (const notice of notices) this.#deliveries.pushTo(route.name, notice);
  }
}

/** Differs when the file has changed; empty: there is none. */
function stampOf(file: string): string {
  const stat = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.mode}`;
}

/** The command or the webhook that gets the notices of a route. */
export function wishesOf(target: RouteTarget): RunToDeliver['wishes'] {
  if (target.kind === 'command') return { command: target.line, webhook: null };
  if (target.kind === 'webhook') return { command: null, webhook: target };
  const format = formatFor(target);
  const url = target.kind === 'telegram' ? target.api : target.url;
  return { command: null, webhook: { url, secretFile: null, ...(format && { format }) } };
}

function takes(route: Route, notice: Notice): boolean {
  return route.kinds.includes(notice.kind) && routesTo(route, notice);
}

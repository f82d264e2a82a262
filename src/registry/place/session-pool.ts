import type { PlaceRecord } from '../../model/run/background.js';
import { parsePlace } from '../../places/parse-place.js';
import { Place } from '../../places/place.js';
import { PlaceSession } from '../../places/session.js';

/** One session for each place. */
export class SessionPool {
  readonly #sessions = new Map<string, PlaceSession>();

  /** Throws a Failure for an address that is none. */
  get({ place, env }: PlaceRecord): PlaceSession {
    const key = JSON.stringify([place, Object.entries(env).sort()]);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const session = new PlaceSession(new Place(parsePlace(place), { ...process.env, ...env }));
    this.#sessions.set(key, session);
    return session;
  }

  close(): void {
    for (const session of this.#sessions.values()) session.close();
    this.#sessions.clear();
  }
}

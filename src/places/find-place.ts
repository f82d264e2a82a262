import os from 'node:os';
import { namedPlaces } from '../config/named-places.js';
import type { PlaceAddress } from '../model/place.js';
import { parsePlace } from './parse-place.js';

/** The place that a user names: an address, or a name of the user's configuration. Throws a Failure. */
export function findPlace(text: string, env: NodeJS.ProcessEnv = process.env): PlaceAddress {
  return parsePlace(text, namedPlaces(env, env.HOME ?? os.homedir() ?? null));
}

import {
  addressFromEnv,
  type FleetAddress,
  membershipReading,
  readMembership,
} from '../../fleet/settings.js';
import { valueOr } from '../../model/facts/reading.js';
import { stateHome } from '../../store/state-home.js';

/** The fleet that UNSTUCK_FLEET_URL names, or the one that this machine has joined; null: none. Throws a Failure when that is unknown. */
export function findAddress(env: NodeJS.ProcessEnv, home: string): FleetAddress | null {
  return addressFromEnv(env) ?? readMembership(home);
}

/** Also when the fleet is not known: then the request fails with the reason. */
export function hasFleet(env: NodeJS.ProcessEnv, home = stateHome(env)): boolean {
  if (addressFromEnv(env) !== null) return true;
  const joined = membershipReading(home);
  return joined.kind === 'unknown' || joined.value !== null;
}

/** The name of that fleet, and of this machine in it; null: none is known, or this machine has not joined that one. */
export function fleetOf(env: NodeJS.ProcessEnv, home: string): { name: string; host: string | null } | null {
  const joined = valueOr(membershipReading(home), null);
  const address = addressFromEnv(env) ?? joined;
  if (address === null) return null;
  const isSame = joined !== null && joined.url === address.url && joined.fleet === address.fleet;
  return { name: address.fleet, host: isSame ? joined.name : null };
}

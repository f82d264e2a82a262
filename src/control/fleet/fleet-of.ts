import { addressFromEnv, type FleetAddress, readMembership } from '../../fleet/settings.js';

/** The fleet that UNSTUCK_FLEET_URL names, or the one that this machine has joined; null: none. */
export function findAddress(env: NodeJS.ProcessEnv, home: string): FleetAddress | null {
  return addressFromEnv(env) ?? readMembership(home);
}

/** The name of that fleet, and of this machine in it; null: none, or this machine has not joined that one. */
export function fleetOf(env: NodeJS.ProcessEnv, home: string): { name: string; host: string | null } | null {
  const address = findAddress(env, home);
  if (address === null) return null;
  const joined = readMembership(home);
  const isSame = joined !== null && joined.url === address.url && joined.fleet === address.fleet;
  return { name: address.fleet, host: isSame ? joined.name : null };
}

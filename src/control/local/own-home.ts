import { privateHome } from '../../store/state-home.js';

/** The state home that an environment selects. */
export function ownHome(env: NodeJS.ProcessEnv): string {
  return privateHome(env);
}

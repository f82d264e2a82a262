import os from 'node:os';
import { userConfigFile } from '../../config/config-files.js';

/** routes.json in the directory for configuration; null: there is no home directory. */
export function routesFile(env: NodeJS.ProcessEnv = process.env): string | null {
  return userConfigFile(env, env.HOME || os.homedir() || null, 'routes.json');
}

import { execFile } from 'node:child_process';
import type { PlaceAddress } from '../model/place.js';
import { clientOf } from './client-words.js';

/** The first process of a container, as its engine names it. */
export interface ContainerProcess {
  /** As the machine of the engine sees it. */
  pid: number;
  /** The whole id of the container. */
  id: string;
}

const inspectMsMax = 10_000;
const format = '{{.State.Running}} {{.State.Pid}} {{.Id}}';

/** null: it is not a container, it does not run, or its engine does not answer. */
export function containerProcess(
  address: PlaceAddress,
  env: NodeJS.ProcessEnv = process.env,
): Promise<ContainerProcess | null> {
  if (address.kind !== 'docker' && address.kind !== 'podman') return Promise.resolve(null);
  const [program, ...options] = clientOf(address.kind, env);
  const words = [...options, 'inspect', '--type', 'container', '--format', format, address.container];
  return new Promise((resolve) => {
    execFile(program, words, { env, timeout: inspectMsMax, encoding: 'utf8' }, (error, stdout) => {
      const [, pid, id] = /^true (\d{1,10}) ([0-9a-f]{12,64})\s*$/.exec(error === null ? stdout : '') ?? [];
      resolve(pid === undefined || id === undefined ? null : { pid: Number(pid), id });
    });
  });
}

// A client of PM2 with a kept connection, alone in a process: PM2 is nobody's dependency here, and takes over who loads it.
import { createRequire } from 'node:module';
import { join } from 'node:path';

interface App {
  name: string;
  script: string | undefined;
  args: string[];
  interpreter: 'none';
  exec_mode: 'fork';
  autorestart: false;
}

interface Listed {
  pid: number;
  pm2_env: { status: string };
}

type Done<Result> = (error: Error | null, result: Result) => void;

/** As much of it as is used here. */
interface Pm2 {
  connect(done: Done<void>): void;
  start(apps: App | App[], done: Done<unknown>): void;
  list(done: Done<Listed[]>): void;
}

export type Pm2Request =
  | { kind: 'list' }
  | { kind: 'start'; command: string[]; count: number; atOnce: number };

export interface Pm2Answer {
  pids: number[];
  tookMs: number;
  error?: string;
}

function promised<Result>(call: (done: Done<Result>) => void): Promise<Result> {
  return new Promise((resolve, reject) => {
    call((error, result) => (error ? reject(error) : resolve(result)));
  });
}

let named = 0;

function app([script, ...args]: string[]): App {
  const name = `bench-${named++}`;
  return { name, script, args, interpreter: 'none', exec_mode: 'fork', autorestart: false };
}

async function answer(pm2: Pm2, request: Pm2Request): Promise<number[]> {
  if (request.kind === 'list') {
    const listed = await promised<Listed[]>((done) => pm2.list(done));
    return listed.filter(({ pm2_env }) => pm2_env.status === 'online').map(({ pid }) => pid);
  }
  const apps = Array.from({ length: request.count }, () => app(request.command));
  // One request for all is how PM2 starts many at once.
  const requests = request.atOnce > 1 ? [apps] : apps;
  for (const apps of requests) await promised<unknown>((done) => pm2.start(apps, done));
  return [];
}

/** Answers every message; `place`: where PM2 is installed. */
export async function serveAsPm2Client(place: string): Promise<void> {
  const pm2 = createRequire(join(place, 'from-here.js'))('pm2') as Pm2;
  await promised<void>((done) => pm2.connect(done));
  process.on('message', async (request: Pm2Request) => {
    const beganMs = performance.now();
    const told = await answer(pm2, request).then(
      (pids) => ({ pids }),
      (error: Error) => ({ pids: [], error: String(error.message ?? error) }),
    );
    process.send?.({ ...told, tookMs: performance.now() - beganMs } satisfies Pm2Answer);
  });
  process.once('disconnect', () => process.exit());
  process.send?.('ready');
}

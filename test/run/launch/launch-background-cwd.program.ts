import { startShim } from '../../../src/run/launch/start-shim.js';

/** Prints with which Failure a command is not started in a directory. */
const [cwd = ''] = process.argv.slice(2);
const spec = { id: 'run_0', command: ['true'], cwd, env: process.env, directory: null };
try {
  startShim(spec, { script: () => 'exit', streams: 1, input: '', stdio: 'ignore' });
  console.log('null');
} catch (error) {
  const { code, message } = error as { code?: string; message: string };
  console.log(JSON.stringify({ code, message }));
}

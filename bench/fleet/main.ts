import { parseArgs } from 'node:util';
import { describeMachine } from '../report.js';
import { withScratch } from '../scratch.js';
import { playFaults } from './faults.js';
import { publishFaults } from './publish.js';
import { playMembers, playScale } from './scale.js';

/** Where the checkout is; bench/launch.mjs puts it in. */
declare const __UNSTUCK_ROOT__: string;

type Numbers = [number, number, number];

const usage = `npm run bench:fleet [-- options]
  --seconds N   how long jobs are added while daemons and servers are killed; 600
  --servers N   1, or 3 for a cluster; 1
  --scale N     instead: N members with 100 simulated runs each: what they cost, and how long ps --fleet takes
  --seed N      repeat the faults of an earlier run
  --save        write bench/results/fleet-faults.json, and the table of docs/fleet.md from it
  --help        this

Needs nats-server. Exit code 1: a job was lost, ran twice, ended with another exit code than its own, its output
differs, or its end or a notice was not given to the consumer of events.`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    servers: { type: 'string', default: '1' },
    scale: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    save: { type: 'boolean', default: false },
    help: { type: 'boolean' },
    // The process of the members, which --scale starts.
    members: { type: 'string' },
    url: { type: 'string', default: '' },
  },
});

if (values.help) console.log(usage);
else if (values.members !== undefined) await playMembers(values.url, Number(values.members));
else {
  console.log(describeMachine());
  const [seconds, servers, seed] = [values.seconds, values.servers, values.seed].map(Number) as Numbers;
  const ok = await withScratch(__UNSTUCK_ROOT__, async (scratch) => {
    if (values.scale !== undefined) return await playScale(scratch, Number(values.scale));
    const run = await playFaults({ scratch, root: __UNSTUCK_ROOT__, seconds, servers, seed });
    if (values.save) publishFaults(__UNSTUCK_ROOT__, run);
    return run.faults === 0;
  });
  process.exitCode = ok ? 0 : 1;
}

import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { killOrphans } from '../../src/control/orphans/orphans.js';
import { troubles } from '../../src/orphans/words.js';
import { startCanary } from '../run/stop/start-run.js';
import { until } from '../support/background-home.js';
import { compile } from '../support/compile.js';
import { OrphanHome } from './orphan-home.js';

const rounds = 3;
const jobsPerRound = 8;

/** Ways to be left behind. */
const orphanKinds = [
  '$CANARY >/dev/null &',
  'setsid $CANARY >/dev/null &',
  '(setsid $CANARY >/dev/null &) &',
  "sh -c '$CANARY >/dev/null & exec $CANARY >/dev/null' &",
  "setsid sh -c 'sleep 1000 & sleep 1000 & wait' &",
  "sh -c 'while :; do setsid sleep 0.05; done' &",
];

/** The same numbers in every run: a failure can be looked into. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

it('in any mixture of orphans and strangers no stranger is signalled', async () => {
  const storm = await compile('tree/storm');
  const home = new OrphanHome();
  // Same command, same directory: two of no run, two of a run that lives.
  const living = await home.run('exec sleep 1000', { lives: true });
  const environments: Record<string, string>[] = [
    {},
    { UNSTUCK_RUN_ID: '' },
    { UNSTUCK_RUN_ID: living, UNSTUCK_HOME: home.path },
    { UNSTUCK_RUN_CHAIN: living, UNSTUCK_RUN_ID: '', UNSTUCK_HOME: home.path },
  ];
  const canaries = await Promise.all(
    environments.map((env) => startCanary([storm], { cwd: home.project, env })),
  );
  // And two that report to a file only: the child of a live shell, and an abandoned process.
  home.start(['sh', '-c', '"$0" >child & wait', storm], { CANARY: '1' });
  home.start(['sh', '-c', '(setsid "$0" >abandoned &)', storm], { CANARY: '1' });
  const heard = (name: string) => fs.readFileSync(`${home.project}/${name}`, 'utf8');
  await until(
    () =>
      ['child', 'abandoned'].every((name) => fs.existsSync(`${home.project}/${name}`) && heard(name) !== ''),
    'they listen',
  );
  for (let round = 0; round < rounds; round += 1) {
    const random = randomFrom(round + 1);
    const jobs = Array.from({ length: jobsPerRound }, () => orphanKinds[random(orphanKinds.length)]);
    const runs = [jobs.slice(0, random(jobsPerRound)), jobs].map((some) =>
      home.run(`${some.join('\n')}\nsleep 0.05`, { env: { CANARY: `${storm}` } }),
    );
    const ids = await Promise.all(runs);
    // Some kinds need a moment to become what they are; the stop has to be right at any moment.
    await delay(random(60));
    const strangers = new Set(canaries.map(({ pid }) => pid));
    const [kill] = await Promise.all([
      killOrphans({ home: home.path, projectDir: home.project, force: random(2) === 0, graceMs: random(80) }),
      ...(random(2) === 0 ? [killOrphans({ home: home.path, projectDir: home.project, graceMs: 20 })] : []),
    ]);
    // A machine that is too busy to let them end in time is no failure of ours; anything else is.
    const failures = kill.results.filter(({ result }) => result === 'failed').map(({ because }) => because);
    expect(failures.filter((because) => because !== troubles.survived)).toEqual([]);
    for (const { pid } of [...kill.results, ...(kill.receipt?.processes ?? [])])
      expect(strangers).not.toContain(pid);
    const left = async () => {
      const { results } = await killOrphans({
        home: home.path,
        projectDir: home.project,
        force: true,
        graceMs: 20,
      });
      return results.filter(({ run }) => run !== null && ids.includes(run.id)).length;
    };
    await until(async () => (await left()) === 0, 'nobody of these runs is left');
  }
  for (const canary of canaries) expect(await canary.heard()).toEqual([]);
  expect(['child', 'abandoned'].map(heard)).toEqual(['ready\n', 'ready\n']);
});

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ownHome, until } from '../../../support/background-home.js';
import { startRunCli } from '../../../support/start-run-cli.js';

/** Takes for ever on the line that the command prints. */
const endless = '^(?:a+)+ (\\d+)/(\\d+)';
const trap = `${'a'.repeat(60)}!`;
const command = (then: string) => ['sh', '-c', `echo ${trap}; ${then}`];

const lost = (setting: string) => new RegExp(`the setting ${setting}, .* takes too long on this output`);

describe.concurrent('a pattern of a setting that takes for ever', () => {
  it.each([
    ['progress', endless, lost('progress')],
    ['phase', `setup=${endless}`, lost('phase setup')],
  ])('%s: `unstuck run` reports it and ends at its timeout', async (key, value, message) => {
    const often = [
      '--json',
      '--sample',
      '100ms',
      '--heartbeat',
      '200ms',
      '--timeout',
      '30s',
      '--grace',
      '200ms',
    ];
    const cli = startRunCli([...often, `--${key}`, value, '--', ...command('sleep 1000')]);
    expect(await cli.done).toBe(124);
    const warnings = cli.events.flatMap((event) => (event.kind === 'warning' ? [event.message] : []));
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(warnings[0]).toMatch(/write it without nested repetition/);
  });

  it('the daemon answers for every run, and so does the next daemon', async () => {
    const home = ownHome();
    const project = path.join(home.path, 'project');
    fs.mkdirSync(project);
    fs.writeFileSync(
      path.join(project, 'unstuck.json'),
      JSON.stringify({ progress: endless, sample: '100ms' }),
    );
    const { id } = await home.start(command('sleep 1000'), { cwd: project });
    const other = await home.start(['sleep', '1000']);
    const isReported = async () => {
      const { warnings = [] } = await home.call('poll', { id });
      return lost('progress').test(warnings.join('\n'));
    };
    await until(isReported, 'it is reported');
    expect((await home.call('poll', { id: other.id })).status).toBe('running');
    await home.killDaemon();
    await until(isReported, 'it is reported by the next daemon');
    expect((await home.call('poll', { id })).status).toBe('running');
  });

  it('a setting that an older version accepted and this version refuses is left out and reported', async () => {
    const home = ownHome();
    const { id } = await home.start(command('sleep 1000'), {
      options: { progress: '(\\d+) of (\\d+)', phase: ['good=^a'] },
      notify: { events: [], patterns: ['/good/'], everyS: 0 },
    });
    await home.killDaemon();
    const file = path.join(home.path, 'runs', id, 'run.json');
    const record = JSON.parse(fs.readFileSync(file, 'utf8'));
    const dear = `(?:${'\\w|'.repeat(60)}b){99}`;
    record.background.options.progress = dear;
    record.background.options.phase.push(`dear=${dear}`);
    record.background.notify.patterns.push(`/${dear}/`);
    fs.writeFileSync(file, JSON.stringify(record));
    const { status, warnings = [] } = await home.call('poll', { id });
    expect(status).toBe('running');
    expect(warnings.join('\n')).toMatch(/the setting progress is .* too many alternatives/);
    expect(warnings.join('\n')).toMatch(/the setting phase is .*dear=.* too many alternatives/);
    expect(warnings.join('\n')).toMatch(/the pattern '\/.* too many alternatives.* pattern is off/);
  });
});

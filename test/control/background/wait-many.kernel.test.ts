import { describe, expect, it } from 'vitest';
import { ownHome } from '../../support/background-home.js';

const nap = ['sleep', '1000'];
const exitWith = (code: number) => ['sh', '-c', `exit ${code}`];

describe.concurrent('waiting for several runs', () => {
  it('all: each has its result, in the order of the request and once', async () => {
    const home = ownHome();
    const slow = await home.start(['sh', '-c', 'sleep 0.2; exit 4'], { label: 'slow' });
    const quick = await home.start(exitWith(3), { label: 'quick' });
    const ids = ['slow', quick.id, slow.id];
    const answer = await home.call('waitMany', { ids, until: ['exit'] });
    expect(answer).toMatchObject({
      status: 'done',
      results: [
        { id: slow.id, label: 'slow', status: 'exited', exit: { code: 4 } },
        { id: quick.id, label: 'quick', status: 'exited', exit: { code: 3 } },
      ],
      clamped: false,
    });
  });

  it('any: the others are running and keep their unread output; timeout when none ends', async () => {
    const home = ownHome();
    const live = await home.start(['sh', '-c', 'echo kept; exec sleep 1000']);
    const other = await home.start(nap);
    const ids = [live.id, other.id];
    expect(await home.call('waitMany', { ids, mode: 'any', timeoutS: 0 })).toMatchObject({
      status: 'timeout',
      results: [{ status: 'timeout' }, { status: 'timeout' }],
    });
    const match = { reader: 'new', match: 'kept', mode: 'any' } as const;
    const answer = await home.call('waitMany', { ids: [other.id, live.id], ...match });
    expect(answer).toMatchObject({
      status: 'done',
      results: [
        { id: other.id, status: 'running', output: '', health: 'healthy' },
        { id: live.id, status: 'match', line: 'kept', output: 'kept\n' },
      ],
    });
  });

  it('goes on when the daemon is killed', async () => {
    const home = ownHome();
    const gate = `${home.path}/gate`;
    const run = await home.start(['sh', '-c', `mkfifo ${gate}; cat ${gate}; exit 5`]);
    const other = await home.start(nap);
    const waiting = home.call('waitMany', { ids: [run.id, other.id], mode: 'any', until: ['exit'] });
    await home.killDaemon();
    await home.start(['sh', '-c', `until [ -p ${gate} ]; do sleep 0.01; done; echo > ${gate}`]);
    expect((await waiting).results[0]).toMatchObject({ status: 'exited', exit: { code: 5 } });
  });

  it('an unknown run, none, or a run of another owner: refused before anything is waited for', async () => {
    const home = ownHome();
    const { id } = await home.start(nap, { owner: 'me' });
    await expect(home.call('waitMany', { ids: [id, 'ffff'] })).rejects.toMatchObject({ code: 'no-such-run' });
    await expect(home.call('waitMany', { ids: [] })).rejects.toMatchObject({ code: 'bad-input' });
    await expect(home.call('waitMany', { ids: [id], owner: 'you' })).rejects.toMatchObject({
      code: 'not-yours',
    });
  });
});

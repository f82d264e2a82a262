import { expect, it } from 'vitest';
import { placeOf } from '../../web/run-place.js';

const ids = ['run_82be01231b42', 'run_82bf00000000', 'run_606e1eadc704'];

it('finds a run by the beginning of its id, when only one has it', () => {
  for (const text of ['82be', 'run_82be', 'run_82be01231b42'])
    expect(placeOf(text, ids)).toEqual({ page: 'run', id: 'run_82be01231b42' });
  for (const text of ['82b', 'run_82b', '', 'ffff', 'run_']) expect(placeOf(text, ids)).toBeNull();
});

it('sends a run of a host to the page of hosts', () => {
  const id = 'build/run_82be01231b42';
  expect(placeOf(id, ids)).toEqual({ page: 'hosts', id });
});

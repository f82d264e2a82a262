import { fc, test as property } from '@fast-check/vitest';
import { expect, it } from 'vitest';
import { sameCommand } from '../../../src/diagnose/history/same-command.js';

it.each([
  ['npm test', 'npm test'],
  ['python3 -m pytest tests/test_v2.py', 'python3 -m pytest tests/test_v2.py'],
  ['vitest --shard=3/8 --port 8080', 'vitest --shard=N/N --port N'],
  ['deploy 2026-11-17 v1.22.3', 'deploy N-N-N v1.N.N'],
  ['git checkout 9fceb02a7d', 'git checkout #'],
  ['git show deadbeef', 'git show deadbeef'],
  ['job 123e4567-e89b-12d3-a456-426614174000', 'job #'],
  ['sh /tmp/tmp.Xa3bC9/build/run.sh', 'sh /tmp/*/build/run.sh'],
  ["sh -c 'cat /var/tmp/x1 >out'", "sh -c 'cat /var/tmp/* >out'"],
  ['node --dir=/dev/shm/abc x', 'node --dir=/dev/shm/* x'],
  ['build12345678 image', 'buildN image'],
])('%s is the same command as every %s', (command, same) => {
  expect(sameCommand(command)).toBe(same);
});

property.prop([fc.string({ maxLength: 200 })])('once replaced, it stays', (text) => {
  const once = sameCommand(text);
  expect(sameCommand(once)).toBe(once);
});

it('no text makes it slow', () => {
  const startMs = performance.now();
  for (const text of ['a'.repeat(10_000), '1a'.repeat(5000), '/tmp/'.repeat(2000), 'abcdef0 '.repeat(1250)])
    sameCommand(text);
  expect(performance.now() - startMs).toBeLessThan(2000);
});

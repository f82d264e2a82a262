import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { removeDirectory } from '../../support/remove-directory.js';
import { useProgram } from './programs.js';

const program = useProgram(new URL('./full-disk.program.ts', import.meta.url));

it('on a full disk input is refused whole, a log that is cut is known, and the command goes on', async (context) => {
  const disk = mkdtempSync(path.join(os.tmpdir(), 'unstuck-test-'));
  try {
    const mount = 'mount -t tmpfs -o size=500k tmpfs "$0" && exec "$@"';
    const result = await program.finish(
      ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', mount, disk],
      disk,
    );
    if (/^(unshare|mount):/.test(result.stderr)) return context.skip('no user namespaces here');
    expect(JSON.parse(result.stdout)).toEqual({
      refused: 'cannot-write',
      keptAfterRefusal: 0,
      told: '200000\n',
      incompleteBefore: false,
      exit: 5,
      isLogIncomplete: true,
    });
  } finally {
    await removeDirectory(disk);
  }
});

import { describe, expect, it } from 'vitest';
import { exportsOf, renderApi } from '../../scripts/api-page.mjs';

const root = new URL('../../', import.meta.url).pathname;

describe('docs/api.md', () => {
  it('is current: node scripts/api-page.mjs', async () => {
    await expect(renderApi(root)).toMatchFileSnapshot(`${root}docs/api.md`);
  });

  it('has a comment for every export of the library', async () => {
    const library = await import('../../src/index.js');
    const names = exportsOf(root).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(library)));
    expect(new Set(names).size).toBe(names.length);
  });
});

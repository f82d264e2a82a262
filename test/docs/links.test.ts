import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];

/** Links to files of the repository, without the part behind `#`. */
function localLinks(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8');
  return [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)[^)]*\)/g)].map(([, link = '']) => link);
}

test.each(pages)('every link of %s leads to a file', (page) => {
  const dead = localLinks(page).filter((link) => !existsSync(join(root, dirname(page), link)));
  expect(dead).toEqual([]);
});

test('the list of features names pages and tests', () => {
  const links = localLinks('docs/features.md');
  expect(links.filter((link) => link.startsWith('../test/')).length).toBeGreaterThan(50);
});

import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { manPages } from '../../src/cli/man-pages.js';
import { flagOf } from '../../src/config/option.js';
import { options } from '../../src/config/options.js';

const pages = manPages();

describe('man pages', () => {
  it('are all in the package: one for unstuck, one for each command', () => {
    const { man } = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect(man.toSorted()).toEqual([...pages.keys()].map((name) => `./dist/man/${name}`).toSorted());
  });

  it('unstuck-run(1) has every option of the table, its description, examples and exit codes', () => {
    const text = pages.get('unstuck-run.1')?.replaceAll('\\-', '-') ?? '';
    for (const row of options.filter(({ kind }) => kind !== 'boolean'))
      expect(text).toContain(`.B ${flagOf(row)} `);
    for (const title of ['NAME', 'SYNOPSIS', 'OPTIONS', 'DESCRIPTION', 'EXAMPLES', 'SEE ALSO']) {
      expect(text).toContain(`\n.SH ${title}\n`);
    }
    expect(text).toContain('124  it was stopped by --timeout');
  });

  it('no line of a text is a request to troff', () => {
    const known = /^\.(?:TH |SH |SS |TP$|B |nf$|fi$)/;
    for (const [name, text] of pages) {
      const wrong = text.split('\n').filter((line) => /^[.']/.test(line) && !known.test(line));
      expect({ name, wrong }).toEqual({ name, wrong: [] });
    }
  });
});

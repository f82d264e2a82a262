import type { OptionRow } from '../../src/config/option.js';

/** Values of an option as they may be typed, none of them its default. */
export function validValues(row: OptionRow): string[] {
  switch (row.kind) {
    case 'duration':
      return ['61s', '1250ms', '3h', '2d'];
    case 'number':
      return ['5', '6', '7', '8'];
    case 'size':
      return ['512', '3k', '4M', '5GiB'];
    case 'choice':
      return row.choices.filter((choice) => choice !== row.default);
    case 'boolean':
      return [String(!row.default)];
    case 'text':
      return ['one', 'two', 'three'];
    case 'path':
      return ['out/a.xml', 'b', './c.d/e'];
    case 'regex':
      return ['(\\d+) of (\\d+)', 'a/b', '[^x]+$'];
    case 'list':
      return ['link=\\bld\\b', 'docs=typedoc|jsdoc'];
  }
}

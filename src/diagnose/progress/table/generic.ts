import type { Recogniser } from '../recogniser.js';

/** Lines recognised by their form alone. Last in the table: a line that a tool's own row matches never gets here. */
export const generic: Recogniser[] = [
  {
    tool: 'ninja',
    says: 'measure',
    phase: 'compile',
    pattern:
      /^\[(?<done>\d{1,9})\/(?<total>\d{1,9})(?: \d{1,3}%)?\] (?=(?:Building|Compiling) (?:C|CXX|CUDA|ASM|OBJC|Fortran|C\+\+|Rust|Swift|ISPC) |Linking (?:C|CXX|CUDA|OBJC|Fortran|target|static target) ?|(?:CC|CXX|AR|LINK|SOLINK|STAMP|ACTION) \S|(?:cc|gcc|g\+\+|clang|clang\+\+) -)/,
    examples: ['[3/9] Building C object CMakeFiles/parts.dir/f3.c.o', '[8/9] Linking C executable demo'],
  },
  {
    // The form is that of ninja; other tools use it for anything.
    tool: 'ninja',
    says: 'measure',
    pattern: /^\[(?<done>\d{1,9})\/(?<total>\d{1,9})(?: \d{1,3}%)?\](?= |$)/,
    examples: ['[142/500] page 142', '[142/500]'],
  },
  {
    tool: 'ninja',
    says: 'end',
    pattern: /^ninja: (?:build stopped|no work to do|error)/,
    examples: ['ninja: build stopped: subcommand failed.'],
  },
  {
    tool: 'dots',
    says: 'sign',
    pattern: /^[.FEsxXSRP*,!]{3}/,
    examples: ['..........F....', '.......s..x..'],
  },
  {
    tool: 'count',
    says: 'measure',
    rank: 'weak',
    pattern: /(?:^|[\s([#:=])(?<done>\d{1,9})(?: ?\/ ?| of )(?<total>\d{1,9})(?=$|[\s)\],;:.])/,
    examples: [
      'Epoch 3/10',
      'processed 142 of 500 rows',
      '  12/1875 [..............................] - ETA: 5s',
    ],
  },
  {
    tool: 'percentage',
    says: 'measure',
    rank: 'weak',
    pattern: /(?:^|[\s([|=:])(?<percent>\d{1,3}(?:\.\d{1,4})?) ?%(?=$|[\s)\],;:.|])/,
    examples: ['Uploading... 37%', 'progress=99.5%', 'copied (12 %) of everything'],
  },
];

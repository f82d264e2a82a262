import type { Recogniser } from '../recogniser.js';

const install = { phase: 'install' } as const;
const download = { phase: 'download' } as const;

export const packageManagers: Recogniser[] = [
  {
    ...install,
    tool: 'npm',
    says: 'sign',
    pattern:
      /^[⸨([][#░.⠂]{3,40}[⸩)\]] (?:. )?(?<name>(?:reify|idealTree|extract|rollbackFailedOptional|fetchMetadata).{0,300})/,
    examples: [
      '[#########.........] / reify:lodash: http fetch GET 200',
      '⸨░░░░░░⠂⠂⠂⠂⸩ ⠧ idealTree:demo: sill idealTree buildDeps',
    ],
  },
  {
    ...install,
    tool: 'npm',
    says: 'item',
    unit: 'requests',
    pattern: /^npm http (?:fetch|cache) (?<name>(?:GET |POST )?\S{1,10} \S{1,300})/,
    examples: ['npm http fetch GET 200 https://registry.example.org/lodash 120ms (cache miss)'],
  },
  {
    tool: 'npm',
    says: 'end',
    pattern: /^(?:added|removed|changed|up to date)[ ,].{0,120}\bin \d/,
    examples: ['added 354 packages in 42s', 'up to date, audited 5 packages in 1s'],
  },
  {
    tool: 'pnpm',
    says: 'end',
    pattern: /^Progress: resolved .{1,120}, done$/,
    examples: ['Progress: resolved 140, reused 0, downloaded 139, added 139, done'],
  },
  {
    ...install,
    tool: 'pnpm',
    says: 'measure',
    pattern: /^Progress: resolved (?<total>\d{1,7}), (?<sum>reused \d{1,7}, downloaded \d{1,7}), added /,
    examples: ['Progress: resolved 140, reused 0, downloaded 116, added 0'],
  },
  {
    // A bar that many tools print.
    tool: 'yarn',
    says: 'measure',
    rank: 'detail',
    pattern: /^\[[#-]{3,300}\] (?<done>\d{1,7})\/(?<total>\d{1,7})$/,
    examples: [
      '[#########---------------------------------------------------------------------------------] 14/140',
    ],
  },
  {
    ...install,
    tool: 'yarn',
    says: 'measure',
    pattern:
      /^\[(?<done>\d)\/(?<total>\d)\] (?:. {1,2})?(?:Resolving packages|Fetching packages|Linking dependencies|Building fresh|Rebuilding all|Validating package|Cleaning modules)/,
    examples: ['[2/4] Fetching packages...', '[4/4] Building fresh packages...'],
  },
  {
    ...install,
    tool: 'yarn',
    says: 'sign',
    pattern: /^➤ YN\d{4}: (?<name>.{1,300})/,
    examples: ['➤ YN0000: ┌ Fetch step', "➤ YN0013: │ lodash@npm:4.17.21 can't be found in the cache"],
  },
  {
    tool: 'yarn',
    says: 'end',
    pattern: /^(?:. {1,2})?Done in \d/,
    examples: ['Done in 3.99s.', 'Done in 3.2s using pnpm v9.15.9'],
  },
  {
    ...download,
    tool: 'pip',
    says: 'measure',
    rank: 'detail',
    pattern: /^ {0,8}[━╸╺ ]{5,200} (?<done>\d{1,6}\.\d{1,2})\/(?<total>\d{1,6}\.\d{1,2} [kMGT]?B) /,
    examples: ['     ━━━╸━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━ 3.0/30.0 MB 23.6 MB/s eta 0:00:02'],
  },
  {
    ...install,
    tool: 'pip',
    says: 'item',
    unit: 'packages',
    pattern:
      /^(?:Collecting (?=\S{1,200}[=<>~!]=?\d)|Processing (?=\S{0,280}\.(?:whl|tar\.gz|zip)\b)|Requirement already satisfied: )(?<name>\S{1,300})/,
    examples: ['Collecting big==1.0', 'Processing ./wheels/tqdm-4.70.1-py3-none-any.whl'],
  },
  {
    ...install,
    tool: 'pip',
    says: 'sign',
    pattern:
      /^ {0,8}(?<name>(?:(?:Downloading|Using cached) \S{1,280}\.(?:whl|tar\.gz|zip|metadata)\b|Building wheels? for |Preparing metadata \(|Installing build dependencies|Getting requirements to build|Installing collected packages:|Created wheel for ).{0,300})/,
    examples: [
      '  Downloading big-1.0-py3-none-any.whl (30.0 MB)',
      'Installing collected packages: tqdm, pygments',
    ],
  },
  {
    tool: 'pip',
    says: 'end',
    pattern: /^Successfully (?:installed|downloaded) /,
    examples: ['Successfully installed tqdm-4.70.1'],
  },
  {
    ...install,
    tool: 'uv',
    says: 'measure',
    pattern:
      /(?:Preparing|Installing|Resolving|Auditing) (?:packages|wheels|dependencies)\.\.\. \((?<done>\d{1,6})\/(?<total>\d{1,6})\)/,
    examples: ['⠙ Preparing packages... (3/12)'],
  },
  {
    ...install,
    tool: 'apt',
    says: 'measure',
    rank: 'detail',
    pattern:
      /^\(?(?<series>Reading package lists|Building dependency tree|Reading state information|Reading database) ?\.\.\. {0,2}(?<percent>\d{1,3})%/,
    examples: ['Reading package lists... 45%', '(Reading database ... 60%'],
  },
  {
    ...download,
    tool: 'apt',
    says: 'measure',
    pattern: /^(?<percent>\d{1,3})% \[(?=\d{1,5} \S|Working|Waiting for headers|Connect)/,
    examples: ['6% [1 hello 4096 B/53.1 kB 8%]', '0% [Working]'],
  },
  {
    ...install,
    tool: 'apt',
    says: 'measure',
    pattern: /^Progress: \[ {0,2}(?<percent>\d{1,3})%\] \[[#.]/,
    examples: ['Progress: [ 45%] [##########...............]'],
  },
  {
    ...download,
    tool: 'apt',
    says: 'item',
    unit: 'files',
    pattern: /^(?:Get|Hit|Ign|Err):(?<name>\d{1,5} .{1,300})/,
    examples: ['Get:1 http://deb.example.org/debian bookworm/main amd64 hello amd64 2.10-3 [53.1 kB]'],
  },
  {
    ...install,
    tool: 'apt',
    says: 'item',
    unit: 'steps',
    pattern:
      /^(?<name>(?:(?:Unpacking|Setting up|Processing triggers for|Removing) \S{1,200} (?=\([^)]{1,80}\))|Preparing to unpack (?=\S{1,280}\.deb))\S{1,300})/,
    examples: [
      'Unpacking hello (2.10-3) ...',
      'Setting up libc6:amd64 (2.36-9) ...',
      'Preparing to unpack hello_2.10-3_amd64.deb ...',
    ],
  },
  {
    tool: 'apt',
    says: 'end',
    pattern: /^(?:Fetched [\d.,]{1,10} [kMG]?B in |E: )/,
    examples: ['Fetched 241 kB in 0s (497 kB/s)', 'E: Unable to locate package nonesuch'],
  },
  {
    ...install,
    tool: 'dnf',
    says: 'measure',
    pattern:
      /^ {1,4}(?:Installing|Upgrading|Reinstalling|Cleanup|Erasing|Verifying|Running scriptlet) {0,8}: \S{1,200} +(?<done>\d{1,5})\/(?<total>\d{1,5})/,
    examples: ['  Installing       : hello-2.12-1.x86_64                          3/12'],
  },
  {
    ...install,
    tool: 'apk',
    says: 'measure',
    pattern: /^\( {0,5}(?<done>\d{1,5})\/(?<total>\d{1,5})\) (?:Installing|Upgrading|Purging|Replacing) /,
    examples: ['(3/12) Installing musl-dev (1.2.5-r0)'],
  },
];

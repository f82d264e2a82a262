import type { Recogniser } from '../recogniser.js';

const build = { phase: 'build' } as const;

export const containers: Recogniser[] = [
  {
    ...build,
    tool: 'docker',
    says: 'measure',
    unordered: true,
    pattern: /^#\d{1,4} \[(?:(?<series>[\w.-]{1,60}) +)?(?<done>\d{1,3})\/(?<total>\d{1,3})\] /,
    examples: ['#17 [10/11] RUN npm ci', '#6 [wasm 1/7] FROM docker.io/library/rust:1.71.1-alpine'],
  },
  {
    phase: 'download',
    tool: 'docker',
    says: 'measure',
    rank: 'detail',
    pattern:
      /^(?:#\d{1,4}|=> =>) sha256:(?<series>[0-9a-f]{12,64}) (?<done>[\d.]{1,9} ?[kMG]?B) \/ (?<total>[\d.]{1,9} ?[kMG]?B)/,
    examples: [
      '#6 sha256:53633759f9c935144239ceb844e4ea5325e5a17bdfe2c6a5577f654c78ff1317 12.58MB / 222.55MB 1.1s',
    ],
  },
  {
    ...build,
    tool: 'docker',
    says: 'measure',
    pattern:
      /^\[\+\] (?:Building|Running|Pulling)(?: [\d.]{1,9}s)? \(?(?<done>\d{1,4})\/(?<total>\d{1,4})\)?/,
    examples: ['[+] Building 12.3s (7/12)', '[+] Running 3/5'],
  },
  {
    ...build,
    tool: 'docker',
    says: 'measure',
    unordered: true,
    pattern:
      /^ {0,3}=> (?:CACHED |ERROR )?\[(?:(?<series>[\w.-]{1,60}) +)?(?<done>\d{1,3})\/(?<total>\d{1,3})\] /,
    examples: [
      ' => [2/4] RUN apt-get update                                        12.3s',
      ' => CACHED [builder 3/9] COPY . .',
    ],
  },
  {
    ...build,
    tool: 'docker',
    says: 'measure',
    pattern: /^Step (?<done>\d{1,4})\/(?<total>\d{1,4}) : /,
    examples: ['Step 3/10 : RUN make'],
  },
  {
    phase: 'download',
    tool: 'docker',
    says: 'measure',
    rank: 'detail',
    pattern:
      /^(?<series>[0-9a-f]{12}: (?:Downloading|Extracting|Pushing)) {1,2}\[[=> ]{1,60}\] {1,12}(?<done>[\d.]{1,9}[kMG]?B)\/(?<total>[\d.]{1,9}[kMG]?B)/,
    examples: [
      '454038de3e06: Downloading [===============================>                   ]     720B/1.126kB',
    ],
  },
  {
    phase: 'download',
    tool: 'docker',
    says: 'item',
    unit: 'layers',
    pattern: /^(?<name>[0-9a-f]{12}): (?:Pull complete|Pushed|Layer already exists|Already exists)/,
    examples: ['454038de3e06: Pull complete'],
  },
  {
    tool: 'docker',
    says: 'end',
    pattern:
      /^(?:Successfully (?:built|tagged) |#\d{1,4} naming to .{1,300} done$|Status: (?:Downloaded|Image is up to date))/,
    examples: [
      'Successfully built 4f2a6b0c9d1e',
      '#12 naming to docker.io/library/demo done',
      'Status: Downloaded newer image for alpine:3',
    ],
  },
  {
    phase: 'deploy',
    tool: 'terraform',
    says: 'item',
    unit: 'resources',
    pattern: /^(?<name>[\w.[\]"-]{1,200}): (?:Creation|Destruction|Modifications|Read) complete after /,
    examples: ['aws_instance.web["a"]: Creation complete after 42s [id=i-0abc]'],
  },
  {
    phase: 'deploy',
    tool: 'ansible',
    says: 'item',
    unit: 'tasks',
    pattern: /^(?:TASK|RUNNING HANDLER) \[(?<name>[^\]]{1,300})\] \*/,
    examples: ['TASK [nginx : install] *********************************************************'],
  },
  {
    tool: 'ansible',
    says: 'end',
    pattern: /^PLAY RECAP \*/,
    examples: ['PLAY RECAP *********************************************************************'],
  },
];

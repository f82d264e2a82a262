import type { Recogniser } from '../recogniser.js';

const download = { phase: 'download' } as const;

export const transfers: Recogniser[] = [
  {
    ...download,
    tool: 'git',
    says: 'measure',
    pattern:
      /^(?:remote: )?(?<series>(?:Enumerating|Counting|Compressing|Receiving|Unpacking|Writing|Indexing) objects|Resolving deltas|Updating files|Checking out files|Filtering content): +\d{1,3}% \((?<done>\d{1,10})\/(?<total>\d{1,10})\)/,
    examples: [
      'remote: Counting objects:   1% (5/402)',
      'Receiving objects:  87% (350/402), 16.50 KiB | 276.00 KiB/s',
      'Updating files:  45% (450/1000)',
    ],
  },
  {
    ...download,
    tool: 'curl',
    says: 'measure',
    pattern:
      /^ {0,2}(?<percent>\d{1,3}) +[\d.]{1,6}[kMGTP]? +\d{1,3} +[\d.]{1,6}[kMGTP]? +\d{1,3} +[\d.]{1,6}[kMGTP]? +[\d.]{1,6}[kMGTP]? /,
    examples: [' 50 28.6M   50 14.3M    0     0  12.7M      0  0:00:02  0:00:01  0:00:01 12.7M'],
  },
  {
    // A bar that many tools print.
    tool: 'curl',
    says: 'measure',
    pattern: /^#{1,300} +(?<percent>\d{1,3}\.\d)%$/,
    examples: ['#######                                                                   10.0%'],
  },
  {
    ...download,
    tool: 'wget',
    says: 'measure',
    pattern: /^(?<series>\S{1,200}) +(?<percent>\d{1,3})%\[[=> +]{1,200}\] /,
    examples: ['big.bin                   40%[=============>                     ]  11.45M  11.8MB/s'],
  },
  {
    ...download,
    tool: 'wget',
    says: 'measure',
    pattern: /^ {0,8}\d{1,10}[KM] [., ]{5,80} (?<percent>\d{1,3})% /,
    examples: [' 29150K .......... .......... .......... .......... .......... 99%  474M 0s'],
  },
  {
    tool: 'wget',
    says: 'end',
    pattern: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \([^)]{1,20}\) - .{1,300} saved \[/,
    examples: ['2026-11-16 02:43:45 (12.4 MB/s) - ‘big.bin’ saved [30000000/30000000]'],
  },
  {
    phase: 'download',
    tool: 'rsync',
    says: 'measure',
    pattern: /^ {1,14}[\d,.]{1,20}[KMGT]? +(?<percent>\d{1,3})% +[\d.]{1,8}[kMGT]?B\/s +\d{1,4}:\d\d:\d\d/,
    examples: [
      '     1,238,099  46%  146.38kB/s    0:00:08',
      '        12.58M  45%   11.20MB/s    0:00:03  (xfr#5, to-chk=169/396)',
    ],
  },
  {
    tool: 'tqdm',
    says: 'measure',
    pattern:
      /^(?:(?<series>[^|%]{1,120}?): {1,4})? {0,3}\d{1,3}%\|[^|]{0,300}\| {0,6}(?<done>[\d.]{1,12}[kMGT]?)\/(?<total>[\d.]{1,12}[kMGT]?) \[/,
    examples: [
      'train:  12%|█▎        | 5/40 [00:00<00:00, 49.43it/s]',
      ' 50%|#####     | 20/40 [00:00<00:00, 49.34it/s]',
      'model.safetensors:  45%|████▌     | 1.20G/2.67G [00:10<00:12, 120MB/s]',
    ],
  },
  {
    tool: 'tqdm',
    says: 'measure',
    unit: 'steps',
    pattern: /^(?:(?<series>[^|%[]{1,120}?): {1,4})?(?<done>\d{1,12})it \[\d{1,3}:\d\d, /,
    examples: ['train: 231it [00:03, 74.10it/s]', '12it [00:03,  4.10it/s]'],
  },
  {
    tool: 'rich',
    says: 'measure',
    pattern: /^(?:(?<series>[^━╸╺]{1,120}) )?[━╸╺]{5,300} +(?<percent>\d{1,3})% /,
    examples: ['Working... ━━━━━━━━━━━━━━━╸━━━━━━━━━━━━━━━━━━━━━━━━  40% 0:00:12'],
  },
  {
    tool: 'dd',
    says: 'measure',
    unit: 'bytes',
    pattern: /^(?<done>\d{1,18}) bytes \([^)]{1,40}\) copied, /,
    examples: ['20971520000 bytes (21 GB, 20 GiB) copied, 0.643197 s, 32.6 GB/s'],
  },
  {
    tool: 'ffmpeg',
    says: 'measure',
    unit: 'frames',
    pattern: /^frame= {0,8}(?<done>\d{1,10}) fps=/,
    examples: [
      'frame=  123 fps= 25 q=28.0 size=     512kB time=00:00:05.12 bitrate= 818.2kbits/s speed=1.04x',
    ],
  },
];

import type { Recogniser } from '../recogniser.js';

const compile = { phase: 'compile' } as const;
const build = { phase: 'build' } as const;
const bundle = { phase: 'bundle' } as const;

export const buildTools: Recogniser[] = [
  {
    ...compile,
    tool: 'cargo',
    says: 'measure',
    pattern:
      /^ {0,12}(?:Building|Checking|Documenting|Fixing) \[[=> ]{1,300}\] (?<done>\d{1,7})\/(?<total>\d{1,7})/,
    examples: ['    Building [======>                      ] 1/4: one, two'],
  },
  {
    ...compile,
    tool: 'cargo',
    says: 'item',
    unit: 'crates',
    pattern: /^ {0,12}(?:Compiling|Checking|Documenting) (?<name>[\w-]{1,100} v\d\S{0,60})/,
    examples: ['   Compiling serde_derive v1.0.219', '    Checking demo v0.1.0 (/src/demo)'],
  },
  {
    phase: 'download',
    tool: 'cargo fetch',
    says: 'item',
    unit: 'crates',
    pattern: /^ {0,12}(?:Downloading|Downloaded) (?<name>[\w-]{1,100} v\d\S{0,60})/,
    examples: ['  Downloaded serde v1.0.219'],
  },
  {
    tool: 'cargo',
    says: 'end',
    pattern: /^(?: {0,12}Finished [`a-z]|error: could not compile )/,
    examples: [
      '    Finished `dev` profile [unoptimized + debuginfo] target(s) in 28.12s',
      'error: could not compile `demo` (bin "demo") due to 1 previous error',
    ],
  },
  {
    ...compile,
    tool: 'cmake',
    says: 'measure',
    pattern:
      /^\[ {0,2}(?<percent>\d{1,3})%\] (?=Building [A-Z]+ object |Linking [A-Z]+ |Built target |Generating |Automatic (?:MOC|UIC|RCC))/,
    examples: ['[ 11%] Building C object CMakeFiles/parts.dir/f1.c.o', '[100%] Built target demo'],
  },
  {
    // The form is that of cmake; other tools use it for anything.
    tool: 'cmake',
    says: 'measure',
    pattern: /^\[ {0,2}(?<percent>\d{1,3})%\] /,
    examples: ['[ 50%] page 3'],
  },
  {
    phase: 'configure',
    tool: 'cmake',
    says: 'sign',
    pattern:
      /^-- (?<name>(?:The [A-Z]+ compiler|Detecting|Check|Looking for|Performing Test|Found|Could NOT find|Configuring|Generating|Build files|Searching for|Target) .{1,300})/,
    examples: ['-- Detecting C compiler ABI info', '-- Check for working C compiler: /usr/bin/cc - skipped'],
  },
  {
    phase: 'configure',
    tool: 'configure',
    says: 'sign',
    pattern:
      /^checking (?<name>(?:for|whether|how|if|build|host|target|size|dependency|that|command) .{1,300}?)\.\.\./,
    examples: ['checking for gcc... gcc', 'checking whether build environment is sane... yes'],
  },
  {
    ...build,
    tool: 'bazel',
    says: 'measure',
    pattern: /^(?:\(?\d\d:\d\d:\d\d\)? )?\[(?<done>\d[\d,]{0,11}) \/ (?<total>\d[\d,]{0,11})\] /,
    examples: [
      '[5,584 / 5,856] Compiling a/b.cc; 2s remote-cache, linux-sandbox ... (39 actions, 38 running)',
      '(12:40:39) [651 / 1,649] 55 actions running',
    ],
  },
  {
    ...build,
    tool: 'bazel',
    says: 'sign',
    pattern: /^(?:\(\d\d:\d\d:\d\d\) )?(?<name>(?:Loading|Analyzing): .{1,300})/,
    examples: ['Analyzing: target //app:app (112 packages loaded, 4210 targets configured)'],
  },
  {
    tool: 'bazel',
    says: 'end',
    pattern:
      /^(?:\(\d\d:\d\d:\d\d\) )?(?:INFO: Build completed|(?:ERROR|FAILED): Build did NOT|INFO: Elapsed time)/,
    examples: [
      'INFO: Build completed successfully, 5856 total actions',
      'FAILED: Build did NOT complete successfully',
    ],
  },
  {
    ...build,
    tool: 'gradle',
    says: 'measure',
    pattern: /^<[=-]{5,30}> (?<percent>\d{1,3})% (?<series>INITIALIZING|CONFIGURING|EXECUTING|WAITING)/,
    examples: ['<=========----> 75% EXECUTING [1m 12s]'],
  },
  {
    ...build,
    tool: 'gradle',
    says: 'item',
    unit: 'tasks',
    pattern: /^> Task (?<name>:\S{1,300})/,
    examples: ['> Task :app:compileJava', '> Task :app:processResources NO-SOURCE'],
  },
  {
    tool: 'gradle',
    says: 'end',
    pattern: /^BUILD (?:SUCCESSFUL|FAILED) in /,
    examples: ['BUILD SUCCESSFUL in 12s'],
  },
  {
    ...build,
    tool: 'maven',
    says: 'measure',
    pattern: /^\[INFO\] Building .{1,120} \[(?<done>\d{1,5})\/(?<total>\d{1,5})\]$/,
    examples: ['[INFO] Building demo 1                                                    [1/3]'],
  },
  {
    phase: 'download',
    tool: 'maven',
    says: 'item',
    unit: 'files',
    pattern: /^(?:\[INFO\] )?Downloaded from \S{1,80}: (?<name>\S{1,300})/,
    examples: ['Downloaded from central: https://repo.example.org/junit/junit-4.13.pom (24 kB at 310 kB/s)'],
  },
  {
    tool: 'maven',
    says: 'end',
    pattern: /^\[INFO\] BUILD (?:SUCCESS|FAILURE)/,
    examples: ['[INFO] BUILD SUCCESS'],
  },
  {
    ...compile,
    tool: 'make',
    says: 'item',
    unit: 'files',
    pattern:
      /^ {2}(?:CC|CXX|LD|AR|AS|GEN|HOSTCC|HOSTLD|CCLD|CXXLD|OBJCOPY|MODPOST)(?: \[M\])? {1,8}(?<name>\S{1,300})$/,
    examples: ['  CC      kernel/fork.o', '  CC [M]  drivers/net/dummy.o', '  CXXLD    libdemo.la'],
  },
  {
    ...compile,
    tool: 'make',
    says: 'item',
    unit: 'commands',
    pattern:
      /^(?:[\w./-]{1,40}-)?(?:cc|gcc|g\+\+|c\+\+|clang|clang\+\+)(?:-\d{1,2})? (?=.{0,400}-[a-zA-Z])(?<name>.{1,500})/,
    examples: ['cc    -c -o f1.o f1.c', 'x86_64-linux-gnu-gcc -O2 -o demo f1.o', 'clang++-17 -c a.cc'],
  },
  {
    ...build,
    tool: 'make',
    says: 'sign',
    pattern: /^make(?:\[\d{1,3}\])?: (?<name>(?:Entering|Leaving) directory .{1,300})/,
    examples: ["make[2]: Entering directory '/src/demo/sub'"],
  },
  {
    tool: 'make',
    says: 'end',
    pattern: /^make: (?:\*\*\* |'.{1,200}' is up to date|Nothing to be done)/,
    examples: ['make: *** [Makefile:3: demo] Error 1', "make: 'demo' is up to date."],
  },
  {
    ...bundle,
    tool: 'webpack',
    says: 'measure',
    pattern:
      /^(?:<s> \[webpack\.Progress\] |(?=\d{1,3}% (?:building \d{1,7}\/\d{1,7} (?:entries|modules|dependencies)|setup (?:compilation|normal module|context module)|sealing (?:chunk|module|asset|after|finish|hash|optimi))))(?<percent>\d{1,3})%/,
    examples: [
      '<s> [webpack.Progress] 8% setup compilation',
      '22% building 3/5 entries 10/20 dependencies 4/9 modules',
    ],
  },
  {
    // Texts of webpack that other tools print as well.
    tool: 'webpack',
    says: 'measure',
    pattern:
      /^(?<percent>\d{1,3})%(?:$| (?:setup|building|sealing|emitting|after|cache|done|end|chunk|module|advanced|finish|reading|basic|optimi|ensuring|record|add|shutdown|\[))/,
    examples: ['7% done', '95% emitting emit'],
  },
  {
    tool: 'webpack',
    says: 'end',
    pattern: /^webpack \d{1,3}\.\d{1,4}\.\d{1,4} compiled /,
    examples: ['webpack 5.99.9 compiled successfully in 89 ms'],
  },
  {
    ...bundle,
    tool: 'vite',
    says: 'measure',
    unit: 'modules',
    pattern: /^transforming \((?<done>\d{1,7})\) /,
    examples: ['transforming (231) node_modules/vue/dist/vue.js'],
  },
  {
    tool: 'vite',
    says: 'end',
    pattern: /^✓ (?:\d{1,7} modules transformed|built in )/,
    examples: ['✓ 231 modules transformed.', '✓ built in 1.21s'],
  },
  {
    ...bundle,
    tool: 'next',
    says: 'measure',
    pattern: /^.{0,6}Generating static pages.{0,30} \((?<done>\d{1,7})\/(?<total>\d{1,7})\)/,
    examples: ['   Generating static pages (12/34)'],
  },
  {
    ...compile,
    tool: 'tsc',
    says: 'item',
    unit: 'projects',
    pattern: /^\[?\d{1,2}:\d\d:\d\d(?: [AP]M)?\]?(?: -)? Building project '(?<name>[^']{1,300})'/,
    examples: [
      "02:44:02 AM - Building project 'a/tsconfig.json'...",
      "[14:44:02] Building project '/src/b/tsconfig.json'...",
    ],
  },
  {
    tool: 'tsc',
    says: 'end',
    pattern: /^(?:\[?\d{1,2}:\d\d:\d\d(?: [AP]M)?\]?(?: -)? )?Found \d{1,7} errors?[. ]/,
    examples: [
      '02:44:02 AM - Found 0 errors. Watching for file changes.',
      'Found 2 errors in the same file, starting at: a.ts:1',
    ],
  },
];

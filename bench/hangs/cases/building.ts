import { family } from '../hang-case.js';

/** A loop where one round is shorter than the time that is watched; it says nothing between the rounds either. */
const again = (script: string) => ['sh', '-c', `while :; do ${script} || exit 1; done`];

/** The compilers, packers and package managers that are silent for minutes on a real machine. */
export const building = family(
  'silent build',
  { label: 'healthy', actor: 'nobody', busy: true, stdin: 'null' },
  [
    {
      name: 'gcc-compile',
      why: 'a compiler that is silent as long as it works.',
      run: again('gcc -O2 -c -o out.o {programs}/in-pty.c'),
      needs: ['gcc'],
      stdin: 'null',
      kinds: ['working'],
      quick: true,
    },
    {
      name: 'gxx-templates',
      why: 'one file of C++ templates keeps the compiler busy.',
      run: again('g++ -std=c++20 -O2 -c -o out.o {hangs}/templates.cc'),
      needs: ['g++'],
      stdin: 'null',
      kinds: ['working', 'spinning'],
    },
    {
      name: 'rustc-compile',
      why: 'rustc, several processes one after the other.',
      run: again('rustc --edition 2021 -O -o out {programs}/rust-mutex.rs'),
      needs: ['rustc', 'gcc'],
      stdin: 'null',
      kinds: ['working', 'spinning', 'event', 'timer'],
    },
    {
      name: 'go-build',
      why: 'go compiles its own library, without a cache.',
      run: [
        'sh',
        '-c',
        'GO111MODULE=off GOCACHE=$PWD/cache GOFLAGS=-p=1 go build -a -o out {programs}/go-http.go',
      ],
      needs: ['go'],
      stdin: 'null',
      kinds: ['working', 'spinning', 'event', 'timer'],
    },
    {
      name: 'javac-compile',
      why: 'javac starts, compiles and ends, again and again.',
      run: again('javac -d out {programs}/java-waits.java'),
      needs: ['javac'],
      stdin: 'null',
      kinds: ['working', 'spinning', 'event', 'timer'],
    },
    {
      name: 'tsc-project',
      why: 'the TypeScript compiler on this repository.',
      run: again('{root}/node_modules/.bin/tsc --noEmit -p {root} >/dev/null || true'),
      needs: ['{root}/node_modules/.bin/tsc'],
      stdin: 'null',
      kinds: ['working', 'spinning', 'event', 'timer'],
    },
    {
      name: 'xz-compress',
      why: 'xz at its highest level.',
      run: ['sh', '-c', 'openssl rand 400000000 | xz -9 > /dev/null'],
      needs: ['xz', 'openssl'],
      stdin: 'null',
      kinds: ['working', 'spinning'],
    },
    {
      name: 'tar-and-zstd',
      why: 'a pipeline of two that packs a big directory.',
      run: again('tar c -C {root} node_modules 2>/dev/null | zstd -q -19 -T1 > out.zst; true'),
      needs: ['tar', 'zstd'],
      stdin: 'null',
      kinds: ['working', 'spinning'],
    },
    {
      name: 'git-gc',
      why: 'git packs a repository as small as it can.',
      run: ['sh', '{hangs}/git-gc.sh'],
      needs: ['git', 'openssl'],
      stdin: 'null',
      kinds: ['working', 'spinning'],
    },
    {
      name: 'npm-ci',
      why: 'npm installs from a directory, as CI does, silently.',
      run: ['sh', '{hangs}/npm-ci.sh'],
      needs: ['npm'],
      stdin: 'null',
      kinds: ['working', 'spinning', 'event', 'timer'],
    },
    {
      name: 'grep-tree',
      why: 'grep through many files that finds nothing.',
      run: again('grep -r surely-not-in-there-$$ {root}/node_modules >/dev/null || true'),
      needs: ['grep'],
      stdin: 'null',
      kinds: ['working', 'spinning'],
    },
  ],
);

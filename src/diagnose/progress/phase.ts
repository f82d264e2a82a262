import type { Phase } from './recogniser.js';

interface PhaseRow {
  phase: Phase;
  /**
   * outer: everything that runs inside it serves it. worker: does nothing else. helper: serves many purposes, so the
   * output is more reliable. wrapper: starts the others.
   */
  role: 'outer' | 'worker' | 'helper' | 'wrapper';
  /** Names in the kernel: at most 15 characters, or set by the program itself. */
  programs: RegExp;
}

/** The phase that each program name indicates. Within one role, the phase with most processes wins. */
const rows: PhaseRow[] = [
  {
    phase: 'test',
    role: 'outer',
    programs:
      /^(?:pytest|py\.test|jest|vitest|mocha|ava|tap|ctest|phpunit|rspec|bats|playwright|nextest|cargo-nextest|karma|cypress)\b|^node \(vitest|\.test$|^npm (?:run )?test/i,
  },
  {
    phase: 'link',
    role: 'worker',
    programs:
      /^(?:ld|lld|mold|gold|collect2|link|lto1(?:-ltrans)?|lto-wrapper|wild)$|^ld[.-]|(?:^|-)ld$|^ld64/,
  },
  {
    phase: 'compile',
    role: 'worker',
    programs:
      /^(?:rustc|cc1|cc1plus|cc1obj|f951|clang|clang\+\+|tsc|tsgo|javac|kotlinc|scalac|swiftc|swift-frontend|ghc|ocamlopt|compile|asm|as|nvcc|cicc|ptxas|zig|dmd|csc|VBCSCompiler|erlc|elixirc|clippy-driver|rustdoc|cgo)(?:-\d+)?$/,
  },
  {
    phase: 'bundle',
    role: 'worker',
    programs: /^(?:webpack|esbuild|rollup|vite|parcel|turbopack|rspack|next-server|next build)\b/,
  },
  {
    phase: 'configure',
    role: 'helper',
    programs: /^(?:configure|cmake|meson|autoconf|automake|autoreconf|config\.status|m4|gn)$/,
  },
  {
    phase: 'archive',
    role: 'helper',
    programs:
      /^(?:tar|bsdtar|gzip|gunzip|pigz|xz|unxz|zstd|unzstd|bzip2|pbzip2|lz4|zip|unzip|7z|7za|7zr|cpio|ar|brotli|dpkg-deb)$/,
  },
  {
    phase: 'download',
    role: 'helper',
    programs: /^(?:curl|wget|wget2|aria2c|git-remote-\w*|git-fetch-pack|index-pack|axel|yt-dlp|skopeo)$/,
  },
  { phase: 'upload', role: 'helper', programs: /^(?:rsync|scp|sftp|rclone|git-send-pack|git-push|twine)$/ },
  {
    phase: 'install',
    role: 'wrapper',
    programs:
      /^(?:npm|pnpm|yarn|bun|pip3?|pipx|uv|poetry|conda|mamba|apt|apt-get|aptitude|dpkg|dnf|yum|rpm|apk|pacman|brew|gem|bundle|composer|nix|npm (?:i|ci|install|add|update).*)$|^pip\d/,
  },
  {
    phase: 'build',
    role: 'wrapper',
    programs:
      /^(?:make|gmake|ninja|samu|bazel|bazelisk|buck2?|gradle|gradlew|mvn|ant|sbt|scons|cargo|go|docker|docker-buildx|docker-compose|podman|buildah|buildkitd|buildctl|kaniko|msbuild|dotnet|xcodebuild|gcc|g\+\+|cc|c\+\+)$/,
  },
  {
    phase: 'deploy',
    role: 'wrapper',
    programs: /^(?:terraform|tofu|ansible|ansible-playbo\w*|kubectl|helm|pulumi|serverless|cdk)$/,
  },
];

/** The output of the tool ranks between helpers and workers. */
const roles: (PhaseRow['role'] | 'output')[] = ['outer', 'worker', 'output', 'helper', 'wrapper'];

export interface PhaseRule {
  name: string;
  pattern: RegExp;
}

/** The first of the user's rules that fits the last line or a program; `testing` is called before each is tried. */
export function phaseByRules(
  rules: readonly PhaseRule[],
  programNames: readonly string[],
  lastLine: string,
  testing: (rule: PhaseRule) => void,
): string | null {
  const texts = [lastLine, ...programNames];
  for (const rule of rules) {
    testing(rule);
    if (texts.some((text) => matches(rule.pattern, text))) return rule.name;
  }
  return null;
}

/** `programNames`: an entry per process, or per program; `recognised`: the phase its output names. */
export function phaseOf(programNames: readonly string[], recognised: string | null): string | null {
  for (const role of roles) {
    const phase = role === 'output' ? recognised : mostCommon(programNames, role);
    if (phase !== null) return phase;
  }
  return null;
}

function mostCommon(programNames: readonly string[], role: PhaseRow['role']): string | null {
  const counted = rows
    .filter((row) => row.role === role)
    .map(({ phase, programs }) => ({
      phase,
      count: programNames.filter((name) => programs.test(name)).length,
    }));
  const most = Math.max(...counted.map(({ count }) => count));
  return most === 0 ? null : (counted.find(({ count }) => count === most)?.phase ?? null);
}

/** A global or sticky pattern keeps its last position. */
function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

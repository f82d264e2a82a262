/** A kind of command that is often left behind. */
export interface Pattern {
  /** Name used in messages. */
  name: string;
  matches(command: string): boolean;
}

/** Matches the program itself or a script run by an interpreter, not a word among the arguments. */
const start = String.raw`^(?:\S*\/)?(?:(?:env|node|nodejs|bun|deno|npx|bunx|python[\d.]*|sh|bash|zsh)\s+(?:-\S+\s+)*)?(?:\S*\/)?`;
const end = String.raw`(?:\.\w+)?(?:\s|$)`;

function program(names: string, rest = ''): RegExp {
  return new RegExp(`${start}(?:${names})${end}${rest}`);
}

const table: readonly [name: string, pattern: RegExp][] = [
  [
    'a test runner in watch mode',
    program('vite', String.raw`(?!.*\s(?:run|build)\b)(?:.*\s)?(?:(?:watch|dev)\b|--watch\b|-w\b)`),
  ],
  [
    'a test runner in watch mode',
    // vitest watches unless an argument turns that off.
    program(
      'vitest',
      String.raw`(?!(?:.*\s)?(?:run|list|bench|init|--run|--no-watch|--watch=false)(?:\s|$))`,
    ),
  ],
  [
    'a test runner in watch mode',
    program(
      'jest|mocha|ava|karma|tsc|ng|react-scripts|node|nodejs|bun|deno|cargo|dotnet|npm|pnpm|yarn',
      String.raw`(?:.*\s)?(?:--watch(?:All)?\b(?!=false)|(?:test:)?watch(?:\s|$))`,
    ),
  ],
  ['a test runner in watch mode', program('mocha|ava|tsc', String.raw`(?:.*\s)?-w(?:\s|$)`)],
  ['bun test', /^(?:\S*\/)?bunx?\s+(?:-\S+\s+)*test(?:\s|$)/],
  [
    'a test runner in watch mode',
    /^(?:\S*\/)?python[\d.]*\s+(?:-\S+\s+)*-m\s+(?:pytest_watch|pytest_watcher)(?:\s|$)/,
  ],
  [
    'a test runner in watch mode',
    program('ptw|pytest-watch|pytest-watcher|nodemon|watchexec|entr|cargo-watch'),
  ],
  [
    'tail -f',
    program('tail', String.raw`(?:.*\s)?(?:-\d*[a-zA-Z]*[fF]\d*|--follow(?:=\S+)?|--retry)(?:\s|$)`),
  ],
  ['a shell of an agent CLI', /\/shell-snapshots\/snapshot-/],
  ['claude', new RegExp(`${program('claude').source}|/@anthropic-ai/claude-code/`)],
  ['codex', new RegExp(`${program('codex').source}|/@openai/codex/`)],
  ['gemini', new RegExp(`${program('gemini').source}|/@google/gemini-cli/`)],
  ['opencode', new RegExp(`${program('opencode').source}|/opencode-ai/`)],
];

/** Longer texts are ignored. */
const textCharsMax = 1000;
/** Only the beginning of a longer command line is matched: matching time grows with the square. */
const commandCharsMax = 2000;

/** The built-in patterns, and the user's own texts, found anywhere in a command line. */
export function patternsOf(more: readonly string[] = []): Pattern[] {
  const own = more
    .filter((text) => text.trim() !== '' && text.length <= textCharsMax)
    .map((text) => ({ name: JSON.stringify(text), matches: (command: string) => command.includes(text) }));
  return [
    ...table.map(([name, pattern]) => ({
      name,
      matches: (command: string) => pattern.test(command.slice(0, commandCharsMax)),
    })),
    ...own,
  ];
}

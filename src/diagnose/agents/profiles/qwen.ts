import { countOf } from '../json-fields.js';
import type { AgentProfile } from '../profile.js';
import { messageLines } from './claude.js';

/**
 * Rests on streams of Qwen Code 0.24.4 (qwen -o stream-json), which prints the lines of claude. Its input tokens include those
 * that were read from a cache.
 */
export const qwen: AgentProfile = {
  name: 'qwen',
  title: 'Qwen Code',
  npmPackage: '@qwen-code/qwen-code',
  eventFlags: '--output-format stream-json',
  printsEvents: /(?:-o|--output-format)[ =]?stream-json\b/,
  unattended: 'qwen --approval-mode auto-edit, or yolo in a sandbox',
  stdin: 'it adds what it reads on its standard input to the prompt: start it with </dev/null',
  quietEnv: { NO_BROWSER: 'true' },
  limits: { timeout: '2h', idleTimeout: '15m' },
  shells: ['run_shell_command'],
  resume: 'qwen --continue -p TEXT',
  hooks: '.qwen/settings.json of the project or of your home, below hooks',
  ...messageLines(
    ({ input_tokens, cache_read_input_tokens, output_tokens }) =>
      Math.max(0, countOf(input_tokens) - countOf(cache_read_input_tokens)) + countOf(output_tokens),
  ),
};

// The Codex SDK starts the program that `codexPathOverride` names: a script that starts Codex below `unstuck run`. A tool that
// hangs is stopped alone, and Codex goes on. What Unstuck reports is on stderr.
//   npm i @openai/codex-sdk && node codex-sdk.mjs 'Are the tests green?'
import { fileURLToPath } from 'node:url';
import { Codex } from '@openai/codex-sdk';

const [prompt = 'Are the tests green?'] = process.argv.slice(2);

const codex = new Codex({ codexPathOverride: fileURLToPath(new URL('./watched-codex.sh', import.meta.url)) });
const thread = codex.startThread({ skipGitRepoCheck: true });
const { finalResponse } = await thread.run(prompt);
console.log(finalResponse);

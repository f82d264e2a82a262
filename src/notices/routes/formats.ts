import type { Notice, NoticeKind } from '../../model/notice.js';
import { printable } from '../../text/printable.js';
import type { WebhookRequest } from '../webhook-target.js';
import { readSecret } from '../webhook-url.js';
import type { RouteTarget } from './route.js';

/** Chat services cut or refuse longer messages: Discord has the smallest limit, 2,000. */
const textMax = 1900;
const outputMax = 1200;

/** As ntfy has them: 3 is the default, 5 the most urgent. */
const priorities: Partial<Record<NoticeKind, number>> = {
  'needs-input': 4,
  stuck: 4,
  stalled: 4,
  progress: 2,
  match: 2,
};

/** One line that says what happened, and the output below it. Programs print the output: it is never markup. */
function headline({ label, runId, text }: Notice): string {
  const name = label ?? 'unstuck';
  return printable(runId === null ? `${name}: ${text}` : `${name} (${runId}): ${text}`).slice(
    0,
    textMax - outputMax,
  );
}

/** Lines of output that cannot end the block they are shown in. */
function outputOf({ output }: Notice): string {
  const lines = output.split('\n').map(printable).join('\n');
  return lines.slice(-outputMax).replaceAll('```', "'''");
}

function block(notice: Notice, escaped: (text: string) => string = (text) => text): string {
  const output = outputOf(notice);
  return escaped(headline(notice)) + (output === '' ? '' : `\n\`\`\`\n${escaped(output)}\n\`\`\``);
}

/** Slack reads these three characters as markup: `<!channel>` would notify everybody. */
function escapeSlack(text: string): string {
  return text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one] ?? one);
}

const json = (url: string, content: unknown): WebhookRequest => ({ url, body: JSON.stringify(content) });

const formats: {
  [Kind in Exclude<RouteTarget['kind'], 'command' | 'webhook'>]: (
    notice: Notice,
    target: Extract<RouteTarget, { kind: Kind }>,
  ) => WebhookRequest;
} = {
  slack: (notice, { url }) => json(url, { text: block(notice, escapeSlack) }),
  // Without this list, a program could print @everyone.
  discord: (notice, { url }) => json(url, { content: block(notice), allowed_mentions: { parse: [] } }),
  ntfy: (notice, { url }) => {
    const { pathname, origin } = new URL(url);
    const message = [headline(notice), outputOf(notice)].filter(Boolean).join('\n');
    const topic = decodeURIComponent(pathname.replace(/^\/+|\/+$/g, ''));
    const title = printable(`${notice.label ?? 'unstuck'}: ${notice.kind}`).slice(0, 200);
    return json(origin, { topic, title, message, priority: priorities[notice.kind] ?? 3 });
  },
  telegram: (notice, { tokenFile, chat, api }) => {
    const token = readSecret(tokenFile).toString('latin1');
    if (!/^[\w:-]+$/.test(token)) throw new Error(`${tokenFile} does not hold a token of a bot`);
    const message = [headline(notice), outputOf(notice)].filter(Boolean).join('\n');
    const url = new URL(`/bot${token}/sendMessage`, api).href;
    return json(url, {
      chat_id: chatOf(chat, notice),
      text: message,
      link_preview_options: { is_disabled: true },
    });
  },
};

/** The request that a notice becomes. Throws an error that states what to do. */
export function formatFor(target: RouteTarget): ((notice: Notice) => WebhookRequest) | null {
  if (target.kind === 'command' || target.kind === 'webhook') return null;
  const format = formats[target.kind] as (notice: Notice, to: RouteTarget) => WebhookRequest;
  return (notice) => format(notice, target);
}

function chatOf(chat: string, { tags }: Notice): string {
  return chat.replace(/\{tag:([^{}]+)\}/g, (_, name: string) => {
    const tag = tags.find((one) => one.startsWith(`${name}=`));
    if (tag === undefined) throw new Error(`the run has no tag ${name}=…, which names the chat`);
    return tag.slice(name.length + 1);
  });
}

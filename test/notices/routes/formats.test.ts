import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fc, test } from '@fast-check/vitest';
import { afterAll, describe, expect, it } from 'vitest';
import { formatFor } from '../../../src/notices/routes/formats.js';
import type { RouteTarget } from '../../../src/notices/routes/route.js';
import { notice } from '../deliver-home.js';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'unstuck-formats-'));
afterAll(() => fs.rmSync(place, { recursive: true }));
const tokenFile = path.join(place, 'token');
fs.writeFileSync(tokenFile, '123:abc-DEF\n', { mode: 0o600 });

function sent(target: RouteTarget, fields: Partial<ReturnType<typeof notice>> = {}) {
  const { url, body } = formatFor(target)?.({ ...notice(7), ...fields }) ?? { url: '', body: '{}' };
  return { url, content: JSON.parse(body) };
}

const slack = { kind: 'slack', url: 'https://hooks.example/x' } as const;
const discord = { kind: 'discord', url: 'https://discord.example/x' } as const;
const ntfy = { kind: 'ntfy', url: 'https://ntfy.example/my-topic' } as const;
const telegram = { kind: 'telegram', tokenFile, chat: '{tag:chat}', api: 'https://api.example/' } as const;

describe('the form of a chat service', () => {
  it('slack: text, in which nothing that a program printed is markup', () => {
    const { content } = sent(slack, { label: '<!channel>', output: 'a ``` b <@U1> & c' });
    expect(Object.keys(content)).toEqual(['text']);
    expect(content.text).toContain('&lt;!channel&gt;');
    expect(content.text).toContain("a ''' b &lt;@U1&gt; &amp; c");
  });

  it('discord: at most 2,000 characters, and no mention notifies anybody', () => {
    const { content } = sent(discord, { text: 'x'.repeat(5000), output: '@everyone\n'.repeat(500) });
    expect(content.content.length).toBeLessThanOrEqual(2000);
    expect(content.allowed_mentions).toEqual({ parse: [] });
  });

  it('ntfy: the topic of the address, a title and a priority', () => {
    const { url, content } = sent(ntfy, { kind: 'stuck', label: 'api' });
    expect(url).toBe('https://ntfy.example');
    expect(content).toMatchObject({ topic: 'my-topic', title: 'api: stuck', priority: 4 });
  });

  it('telegram: the chat that a tag of the run names, and the token from its file', () => {
    const { url, content } = sent(telegram, { tags: ['chat=42'] });
    expect(url).toBe('https://api.example/bot123:abc-DEF/sendMessage');
    expect(content).toMatchObject({ chat_id: '42' });
    expect(() => sent(telegram, { tags: ['chats=1'] })).toThrow(/has no tag chat=/);
  });

  test.prop([fc.constantFrom(slack, discord, ntfy), fc.string({ unit: 'binary', maxLength: 4000 })])(
    'is short, and without control characters, whatever a program prints',
    (target, output) => {
      const { content } = sent(target, { output, text: output, label: output });
      const text: string = content.text ?? content.content ?? content.message;
      expect(text.length).toBeLessThan(target === slack ? 12_000 : 2001);
      expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
    },
  );
});

import { type NoticeDraft, type NoticeEvent, type NoticeKind, noticeEvents } from '../../model/notice.js';
import { fitsGlob } from '../../text/glob.js';

/** Where the notices of a route go. */
export type RouteTarget =
  | { kind: 'command'; line: string }
  | { kind: 'webhook'; url: string; secretFile: string | null }
  | { kind: 'slack' | 'discord' | 'ntfy'; url: string }
  /** `chat` may name a tag: `{tag:chat}` is 42 for a run with the tag `chat=42`. */
  | { kind: 'telegram'; tokenFile: string; chat: string; api: string };

export const targetKinds = [
  'command',
  'webhook',
  'slack',
  'discord',
  'ntfy',
  'telegram',
] as const satisfies readonly RouteTarget['kind'][];

/** What a route matches. `*` stands for anything; a run may have any of its tags match. */
export const matchers = ['tag', 'owner', 'task', 'label'] as const;

export interface Route {
  name: string;
  match: Partial<Record<(typeof matchers)[number], string>>;
  kinds: readonly NoticeKind[];
  target: RouteTarget;
}

type About = Pick<NoticeDraft, 'label' | 'task' | 'owner' | 'tags'>;

/** Whether a route is for a run. */
export function routesTo({ match }: Pick<Route, 'match'>, { tags, owner, task, label }: About): boolean {
  const texts = { tag: tags, owner: [owner ?? ''], task: [task ?? ''], label: [label ?? ''] };
  return matchers.every((key) => {
    const pattern = match[key];
    return pattern === undefined || texts[key].some((text) => fitsGlob(pattern, text));
  });
}

/** Events that a run reports because a route asks for them. */
export function eventsOf(routes: readonly Route[], about: About): NoticeEvent[] {
  const kinds = new Set(routes.filter((route) => routesTo(route, about)).flatMap((route) => route.kinds));
  return noticeEvents.filter((event) => kinds.has(event));
}

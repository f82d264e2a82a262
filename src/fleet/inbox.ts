import { randomBytes } from 'node:crypto';
import { isName } from './names.js';

/** Every inbox begins with it. */
const root = '_INBOX';

/** Answers for a user come below its own name, so that a server can keep other users from reading them. */
export const inboxPrefixFor = (user: string | undefined) =>
  user !== undefined && isName(user) ? `${root}.${user}` : root;

/** Cannot be guessed from earlier ones, so no other host can answer. */
export const newInbox = (prefix: string) => `${prefix}.${randomBytes(16).toString('hex')}`;

/** Where answers may go: a member must not be used to publish anything else in its name. */
export const isInbox = (reply: string | undefined): reply is string =>
  reply !== undefined && /^_INBOX(\.[\w-]{1,200}){1,8}$/.test(reply);

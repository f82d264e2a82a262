import { WebhookTarget } from '../../src/notices/webhook-target.js';
import { notice } from '../store/notices/notice-drafts.js';

/** Says how one attempt to reach a webhook ended. */
const [url = ''] = process.argv.slice(2);
const target = new WebhookTarget({ url, secretFile: null }, 5000);
console.log(JSON.stringify(await target.attempt(notice(1), new AbortController().signal)));

// Far from any package: prints how a watchdog ended, and whether anything of OpenTelemetry was loaded for it.
import { createRequire } from 'node:module';
import { watch } from '../../src/control/watchdog/watch.js';

const how = await watch({ terminate() {} }, { idleTimeoutMs: 1 }).done.catch(({ name }) => name);
const loaded = Object.keys(createRequire(import.meta.url).cache ?? {});
console.log(JSON.stringify({ how, isLoaded: loaded.some((file) => file.includes('opentelemetry')) }));

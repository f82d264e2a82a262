import { hangs } from './hangs.js';
import { healthy } from './healthy.js';
import type { Scene } from './scene.js';
import { streams } from './streams.js';

export const scenes: readonly Scene[] = [...streams, ...hangs, ...healthy];

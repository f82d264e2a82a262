import { afterEach, aroundEach } from 'vitest';
import { endOwnThings, endSharedThings } from './per-test.js';

// Vitest runs this before each file. A module that two files import runs once, so it must not call hooks itself.
aroundEach(endOwnThings);
afterEach(endSharedThings);

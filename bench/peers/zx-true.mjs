import { $ } from 'zx';

await $`true`;

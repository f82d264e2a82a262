/** The version in package.json; the build (and vitest) put it in. */
declare const __UNSTUCK_VERSION__: string;

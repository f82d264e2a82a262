/** The version in package.json; the build (and vitest) put it in. */
declare const __UNSTUCK_VERSION__: string;

/** Files beside the command line; the build puts them in. */
declare const __QUICK_BUNDLES__: { run: string; mcp: string; hook: string; daemon: string; program: string };

/** The URL of this file. A bundler that emits CommonJS leaves `import.meta` empty; there `__filename` is used. */
export const ownUrl: string = import.meta.url ?? __filename;

/**
 * The address of the file this code is in. A bundler that makes CommonJS leaves `import.meta` empty; there
 * `__filename` is known instead.
 */
export const ownUrl: string = import.meta.url ?? __filename;

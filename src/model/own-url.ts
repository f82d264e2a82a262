/** Where this code is loaded from, as `createRequire` takes it: a path in CommonJS, whose URL takes a while to make. */
export const ownUrl: string = typeof __filename === 'string' ? __filename : import.meta.url;

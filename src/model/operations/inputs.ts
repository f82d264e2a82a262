export type * from './inputs/act.js';
export type * from './inputs/output.js';
export type * from './inputs/select.js';
export type * from './inputs/start.js';
export type * from './inputs/tool.js';

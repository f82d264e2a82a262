export type * from './outputs/act.js';
export type * from './outputs/list.js';
export type * from './outputs/notices.js';
export type * from './outputs/output.js';
export type * from './outputs/run.js';
export type * from './outputs/wait.js';

export type * from './events.js';
export type * from './ports.js';
export type * from './tool.js';

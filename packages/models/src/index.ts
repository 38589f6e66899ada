export type * from './model.js';
export { DEFAULT_MODEL_LIMITS } from './model.js';
export type * from './parts.js';

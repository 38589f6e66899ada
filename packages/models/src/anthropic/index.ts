export { createAnthropicModel } from './model.js';

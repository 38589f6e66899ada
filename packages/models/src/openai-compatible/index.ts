export { createOpenAiCompatibleModel } from './model.js';

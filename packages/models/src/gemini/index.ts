export { createGeminiModel } from './model.js';

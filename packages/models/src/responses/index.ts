export { createResponsesModel } from './model.js';

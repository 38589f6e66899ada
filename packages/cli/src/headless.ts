export { runStreamJson, StreamJsonMode, type StreamJsonOptions } from './modes/stream-json.js';

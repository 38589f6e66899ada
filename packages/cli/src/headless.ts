export { runStreamJson, StreamJsonMode, type StreamJsonOptions } from './modes/stream-json.js';
export { Departure } from './process/departure.js';

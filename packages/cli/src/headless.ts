export type { MachineMode } from './modes/machine-mode.js';
export { runStreamJson, type StreamJsonOptions } from './modes/stream-json.js';
export { Departure } from './process/departure.js';

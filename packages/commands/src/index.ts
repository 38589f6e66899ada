export { type Command, CommandRegistry } from './command-registry.js';

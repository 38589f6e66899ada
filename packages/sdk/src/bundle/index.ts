export { copyCli } from './copy-cli.js';

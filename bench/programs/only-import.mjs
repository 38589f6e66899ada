// What importing the SDK costs before any of it is used.
import { query } from '@qwen/sdk';

if (typeof query !== 'function') process.exitCode = 1;

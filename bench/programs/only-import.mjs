// The cost of importing the SDK.
import { query } from '@qwen/sdk';

if (typeof query !== 'function') process.exitCode = 1;

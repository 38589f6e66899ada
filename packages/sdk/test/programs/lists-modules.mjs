// Prints which parts of Node it takes to load the SDK.
import { query } from '@qwen/sdk';

process.stdout.write(JSON.stringify([typeof query, process.moduleLoadList]));

import { createRequire } from 'node:module';
import { describeApps } from '../qwen-code-sdk/apps-contract.ts';
import { SLOW_START_MS } from './fixture.ts';

const cli = createRequire(import.meta.url).resolve('@qwen-code/qwen-code/cli.js');

// With only their import changed, over the CLI that they were written for.
describeApps({ cli, keepsImport: false, timeout: SLOW_START_MS });

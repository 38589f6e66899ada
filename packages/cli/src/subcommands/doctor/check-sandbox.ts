import { probeSandbox } from '@qwen/tools/sandbox';
import type { Check } from './finding.js';

export const checkSandbox: Check = async ({ cwd, variables }) => {
  const support = await probeSandbox({ project: cwd, searchPath: variables['PATH'] ?? '' });
  if (support.kind === 'none') {
    return [{ area: 'sandbox', level: 'warning', message: `no sandbox: ${support.reason}`, advice: support.advice }];
  }
  return [{ area: 'sandbox', level: 'ok', message: `commands can run in a sandbox (${support.program})` }];
};

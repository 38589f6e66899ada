import type { FlagKey } from '@qwen/host/flags/args.js';
import type { WordKind } from '../words/command-spec.js';

/** What the values of the flags of the program can be, where that is more than any text. */
export const FLAG_KINDS: Readonly<Partial<Record<FlagKey, WordKind>>> = {
  resume: 'session',
  model: 'model',
  fallbackModel: 'model',
  allowedTools: 'tool',
  excludeTools: 'tool',
  coreTools: 'tool',
  allowedMcpServerNames: 'server',
  includeDirectories: 'folder',
  mcpConfig: 'file',
  jsonSchema: 'file',
  settings: 'file',
  record: 'file',
  replay: 'file',
};

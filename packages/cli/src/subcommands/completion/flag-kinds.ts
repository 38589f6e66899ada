import type { FlagKey } from '@qwen/host/flags/args.js';
import type { WordKind } from '../words/command-spec.js';

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
  outputLastMessage: 'file',
  settings: 'file',
  record: 'file',
  replay: 'file',
};

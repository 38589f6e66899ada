import { AUTH } from './auth/spec.js';
import { COMPLETION } from './completion/spec.js';
import { DOCTOR } from './doctor/spec.js';
import { MCP } from './mcp/spec.js';
import { PERMISSIONS } from './permissions/spec.js';
import { PLUGINS } from './plugins/spec.js';
import { SANDBOX } from './sandbox/spec.js';
import { SERVE } from './serve/spec.js';
import { SESSIONS } from './sessions/spec.js';
import { TRUST } from './trust/spec.js';
import type { CommandSpec } from './words/command-spec.js';

const HELP: CommandSpec = {
  meaning: 'Print help for qwen or a subcommand.',
  own: { words: '[SUBCOMMAND [VERB]]', completes: ['command', 'none'], meaning: 'Print it.', flags: {} },
  verbs: {},
};

export const ACP: CommandSpec = {
  meaning: 'Serve an editor over the Agent Client Protocol on stdin and stdout. Takes the flags of qwen.',
  own: { meaning: 'Serve it.', flags: {} },
  verbs: {},
};

export const COMMAND_SPECS: Readonly<Record<string, CommandSpec>> = {
  acp: ACP,
  auth: AUTH,
  completion: COMPLETION,
  doctor: DOCTOR,
  help: HELP,
  mcp: MCP,
  permissions: PERMISSIONS,
  plugins: PLUGINS,
  sandbox: SANDBOX,
  serve: SERVE,
  sessions: SESSIONS,
  trust: TRUST,
};

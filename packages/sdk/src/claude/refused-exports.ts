import { AgentError } from '@qwen/protocol';

function refused(name: string, reason: string): unknown {
  return () => {
    throw new AgentError('unsupported_by_cli', `${name}() is not supported by this version: ${reason}`);
  };
}

const NO_LISTS = 'messages of subagents are in getSessionMessages(), with parent_tool_use_id';
const NO_SETTINGS = 'run "qwen doctor", and see docs/settings.md';

// Functions of the Claude Agent SDK without a counterpart. They exist because one missing import would keep a whole app
// from starting; their types do not, so TypeScript reports a call.
export const tagSession = refused('tagSession', 'use renameSession()');
export const listSubagents = refused('listSubagents', NO_LISTS);
export const getSubagentMessages = refused('getSubagentMessages', NO_LISTS);
export const foldSessionSummary = refused('foldSessionSummary', 'lists read the sessions from the store');
export const resolveSettings = refused('resolveSettings', NO_SETTINGS);
export const filterEscalatingDefaultMode = refused('filterEscalatingDefaultMode', NO_SETTINGS);

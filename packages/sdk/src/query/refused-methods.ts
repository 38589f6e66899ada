import { AgentError } from '@qwen/protocol';

/** Methods of the Claude Agent SDK that no type here declares. A call rejects with the reason. */
export const REFUSED_METHODS: Readonly<Record<string, string>> = {
  applyFlagSettings: 'use setModel(), setPermissionMode() and setEffort()',
  readFile: 'read the file with node:fs',
  readMcpResource: 'connect to the server with an MCP client',
  reinitialize: 'a query has one connection; resume the session with the option resume',
  reloadOutputStyles: 'there are no output styles; use systemPrompt',
  reloadPlugins: 'plugins are read when the session starts',
  reloadSkills: 'skills are read when the session starts; supportedCommands() reads command files again',
  seedReadState: 'edits do not require an earlier read of the file',
  setMcpPermissionModeOverride: 'add rules for mcp__server tools to allowedTools and excludeTools',
  updateSettings: 'write the settings file',
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET: 'use getUsageInfo()',
};

/** Undeclared, so that TypeScript reports a call at compile time. */
export function addRefusedMethods(prototype: object): void {
  for (const [name, reason] of Object.entries(REFUSED_METHODS)) {
    if (name in prototype) continue;
    const message = `query.${name}() is not supported by this version: ${reason}`;
    const value = () => Promise.reject(new AgentError('unsupported_by_cli', message));
    Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
  }
}

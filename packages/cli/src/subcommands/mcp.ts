import { MCP } from './mcp/spec.js';
import type { Subcommand } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';

const VERBS: Readonly<Record<keyof typeof MCP.verbs, () => Promise<Subcommand>>> = {
  add: async () => (await import('./mcp/add.js')).runMcpAdd,
  remove: async () => (await import('./mcp/remove.js')).runMcpRemove,
  list: async () => (await import('./mcp/list.js')).runMcpList,
  test: async () => (await import('./mcp/list.js')).runMcpTest,
  approve: async () => (await import('./mcp/approve.js')).runMcpApprove,
  login: async () => (await import('./mcp/sign-in.js')).runMcpLogin,
  serve: async () => (await import('../mcp-server/run-mcp-serve.js')).runMcpServe,
  logout: async () => (await import('./mcp/sign-in.js')).runMcpLogout,
};

export const runMcp: Subcommand = async (options) => {
  const chosen = chooseVerb('mcp', MCP, options.words);
  if (chosen.kind === 'help') {
    await options.print(chosen.text);
    return 0;
  }
  const run = await VERBS[chosen.verb]();
  return run({ ...options, words: chosen.words });
};

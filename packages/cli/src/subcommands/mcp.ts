import { AgentError } from '@qwen/protocol';
import type { Subcommand } from './subcommand.js';

const VERBS: Readonly<Record<string, () => Promise<Subcommand>>> = {
  add: async () => (await import('./mcp/add.js')).runMcpAdd,
  remove: async () => (await import('./mcp/remove.js')).runMcpRemove,
  list: async () => (await import('./mcp/list.js')).runMcpList,
  approve: async () => (await import('./mcp/approve.js')).runMcpApprove,
  login: async () => (await import('./mcp/sign-in.js')).runMcpLogin,
  logout: async () => (await import('./mcp/sign-in.js')).runMcpLogout,
};

const HELP = `Usage: qwen mcp <verb>

  add NAME COMMAND [ARG...]   Add a server that is started as a program.
  add NAME URL                Add a server behind a URL (http unless --transport says otherwise).
      --scope user|project    Which settings file. Default user.
      --transport stdio|http|sse|ws|tcp
      -e, --env KEY=VALUE     Variable for the program. May be repeated.
      -H, --header "N: V"     Header for the URL. May be repeated.
      --timeout MS, --trust, --lazy, --description TEXT
      --include-tools A,B, --exclude-tools A,B
  remove NAME [--scope user|project]
  list [--json]               Connect to every server and print how that went.
  approve NAME...             Let servers of this project's .mcp.json start, as they are defined now.
  login NAME, logout NAME     Sign in to a server by OAuth; forget the sign-in.
`;

/** `qwen mcp`: the MCP servers in the settings. */
export const runMcp: Subcommand = async (options) => {
  const [verb = 'help', ...words] = options.words;
  const asksForHelp = ['help', '--help', '-h'].includes(verb) || ['--help', '-h'].includes(words[0] ?? '');
  if (asksForHelp) {
    await options.print(HELP);
    return 0;
  }
  const load = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (load === undefined) {
    throw new AgentError('usage', `mcp: "${verb}" is not one of ${Object.keys(VERBS).join(', ')}`);
  }
  const run = await load();
  return run({ ...options, words });
};

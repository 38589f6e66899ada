import type { McpConnection } from '../src/mcp/mcp-connection.js';

const nothing = () => Promise.reject(new Error('nothing here'));

/** A connection that has nothing and never ends. */
export function idleConnection(serverName: string): McpConnection {
  return {
    serverName,
    tools: [],
    prompts: [],
    hasResources: false,
    ended: new Promise(() => {}),
    listResources: nothing,
    readResource: nothing,
    getPrompt: nothing,
    close: () => Promise.resolve(),
  };
}

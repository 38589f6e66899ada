import type { McpServerFacts, ToolFacts } from '../../host/directories.js';

/** How much is said of a tool. */
export type ToolDetail = 'names' | 'descriptions' | 'schemas';

/** MCP servers with what they offer. */
export function serverText(servers: readonly McpServerFacts[], detail: ToolDetail): string {
  if (servers.length === 0) return 'There are no MCP servers.';
  return servers.map((server) => oneServer(server, detail).join('\n')).join('\n');
}

function oneServer(server: McpServerFacts, detail: ToolDetail): string[] {
  const { name, status, error, needsSignIn, tools, prompts } = server;
  const problem = needsSignIn ? `: /mcp auth ${name} signs in` : error === undefined ? '' : `: ${error}`;
  return [
    `${name} - ${status}${problem}`,
    ...tools.flatMap((tool) => toolLines(tool, detail)),
    ...prompts.map((prompt) => `  /${prompt}`),
  ];
}

/** A tool in a list of tools, indented. */
export function toolLines({ name, description, inputSchema }: ToolFacts, detail: ToolDetail): string[] {
  const words = detail === 'names' || description === '' ? [] : description.trim().split('\n');
  const schema =
    detail === 'schemas' && inputSchema !== undefined ? JSON.stringify(inputSchema, undefined, 2).split('\n') : [];
  return [`  ${name}`, ...[...words, ...schema].map((line) => `    ${line}`)];
}

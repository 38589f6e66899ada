import { AgentError, type CliMcpServerConfig, cliMcpServerConfigSchema, describeIssue } from '@qwen/protocol';
import * as z from 'zod/mini';
import { type McpServerChoice, type McpServerOrigin, serversOf } from '../config/mcp-servers.js';
import { readOptionalFile, replaceFile } from '../files/private-file.js';

const fileSchema = z.looseObject({
  mcpServers: z.optional(z.record(z.string(), cliMcpServerConfigSchema)),
});

type ServerFile = z.infer<typeof fileSchema>;

/** The servers of a settings file or `.mcp.json`; none when there is no such file. Rejects with `invalid_settings`. */
export async function readServerFile(path: string, origin: McpServerOrigin): Promise<McpServerChoice> {
  const { mcpServers = {} } = await readFile(path);
  return { inApp: [], outside: serversOf(origin, mcpServers) };
}

export interface ServerFileChange {
  readonly path: string;
  readonly name: string;
  /** Missing: the server is taken out. */
  readonly config?: CliMcpServerConfig;
  /** Of the file. */
  readonly mode: number;
}

/**
 * Puts a server into a file or takes it out; everything else that the file says stays. Gives whether the name was there
 * before. Rejects with `invalid_settings` for a file that cannot be understood, which is left as it is.
 */
export async function changeServerFile({ path, name, config, mode }: ServerFileChange): Promise<boolean> {
  const file = await readFile(path);
  const { [name]: before, ...others } = file.mcpServers ?? {};
  if (config === undefined && before === undefined) return false;
  const mcpServers = config === undefined ? others : { ...others, [name]: config };
  await replaceFile(path, `${JSON.stringify({ ...file, mcpServers }, undefined, 2)}\n`, { mode });
  return before !== undefined;
}

async function readFile(path: string): Promise<ServerFile> {
  const text = await readOptionalFile(path);
  if (text === undefined) return {};
  const invalid = (problem: string) =>
    new AgentError('invalid_settings', `${path} is not understood: ${problem}`, { data: { path, problem } });
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw invalid('it is not JSON');
  }
  const parsed = z.safeParse(fileSchema, json);
  if (!parsed.success) throw invalid(describeIssue('settings', parsed.error));
  return parsed.data;
}

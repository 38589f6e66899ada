import { existsSync } from 'node:fs';
import { AgentError, type CliMcpServerConfig, cliMcpServerConfigSchema, describeIssue } from '@qwen/protocol';
import * as z from 'zod/mini';
import { type McpServerChoice, type McpServerOrigin, serversOf } from '../config/mcp-servers.js';
import { parseJson, parseSettings, readText, withoutMark } from '../config/settings-file.js';
import { writeSettings } from '../config/write-settings.js';

const fileSchema = z.looseObject({
  mcpServers: z.optional(z.record(z.string(), cliMcpServerConfigSchema)),
});

type ServerFile = z.infer<typeof fileSchema>;

/** Empty without a file. Rejects with `invalid_settings`. */
export async function readServerFile(path: string, origin: McpServerOrigin): Promise<McpServerChoice> {
  const { mcpServers = {} } = await readFile(path);
  return { inApp: [], outside: serversOf(origin, mcpServers) };
}

export interface ServerFileChange {
  readonly path: string;
  readonly name: string;
  readonly config?: CliMcpServerConfig;
  readonly origin: 'user' | 'project' | 'local';
}

/** The rest stays byte for byte. Returns whether the name existed. Rejects with `invalid_settings`. */
export async function changeServerFile({ path, name, config, origin }: ServerFileChange): Promise<boolean> {
  const before = existsSync(path) ? readText(path) : '{}\n';
  const source = { path, origin };
  const { mcpServers = {} } = await parseSettings(source, before);
  const wasThere = Object.hasOwn(mcpServers, name);
  if (config === undefined && !wasThere) return false;
  const { editSettingsText } = await import('../config/edit-settings-text.js');
  const after = editSettingsText(path, before, { path: ['mcpServers', name], value: config });
  // A secret in a project file would stop every start.
  await parseSettings(source, after);
  await writeSettings(source, after);
  return wasThere;
}

async function readFile(path: string): Promise<ServerFile> {
  if (!existsSync(path)) return {};
  const parsed = z.safeParse(fileSchema, await parseJson(path, withoutMark(readText(path))));
  if (parsed.success) return parsed.data;
  const problem = describeIssue('settings', parsed.error);
  throw new AgentError('invalid_settings', `${path} is invalid: ${problem}`, { data: { path, problem } });
}

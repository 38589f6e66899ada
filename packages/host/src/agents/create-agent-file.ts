import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { findSettingsFiles } from '../config/settings-files.js';
import { readProject } from '../config/settings-layers.js';
import { projectTrust } from '../config/trust.js';
import { trustProject } from '../config/trust-changes.js';
import { replaceFile } from '../files/private-file.js';
import { isAgentName } from './agent-configs.js';

export interface AgentDraft {
  readonly name: string;
  readonly description: string;
  /** Default: all tools. */
  readonly tools?: readonly string[];
  readonly systemPrompt: string;
}

export interface AgentTarget {
  readonly scope: 'user' | 'project';
  readonly configDir: string;
  readonly cwd: string;
}

/**
 * Writes the file and returns its absolute path. A trusted project stays trusted. Rejects with `invalid_payload` for
 * an invalid or taken name, and with `storage_unwritable`.
 */
export async function createAgentFile(draft: AgentDraft, { scope, configDir, cwd }: AgentTarget): Promise<string> {
  if (!isAgentName(draft.name)) {
    throw new AgentError('invalid_payload', `${JSON.stringify(draft.name)} is not a valid subagent name.`);
  }
  const found = findSettingsFiles({ configDir, cwd, flags: {} });
  const folder = scope === 'user' ? join(configDir, 'agents') : join(found.projectFolder, '.qwen', 'agents');
  const path = join(folder, `${draft.name.replaceAll(/\s+/g, '-')}.md`);
  if (existsSync(path)) throw new AgentError('invalid_payload', `${path} already exists.`);
  const wasTrusted = scope === 'project' && projectTrust(configDir, await readProject(found)) === 'trusted';
  await replaceFile(path, toAgentFile(draft), { mode: scope === 'user' ? 0o600 : 0o644 });
  if (wasTrusted) await trustProject(configDir, await readProject(findSettingsFiles({ configDir, cwd, flags: {} })));
  return path;
}

/** Front matter, then the prompt. A JSON string is valid YAML. */
function toAgentFile({ name, description, tools, systemPrompt }: AgentDraft): string {
  const members = [
    `name: ${JSON.stringify(name)}`,
    `description: ${JSON.stringify(description)}`,
    ...(tools === undefined ? [] : [`tools: ${JSON.stringify(tools)}`]),
  ];
  return ['---', ...members, '---', '', systemPrompt.trim(), ''].join('\n');
}

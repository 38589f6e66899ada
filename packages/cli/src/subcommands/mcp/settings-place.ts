import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { findQwenHome } from '../../config/qwen-home.js';
import { findSettingsFiles } from '../../config/settings-files.js';
import type { SubcommandOptions } from '../subcommand.js';

/** Where a server is written down. */
export interface SettingsPlace {
  readonly scope: 'user' | 'project';
  /** Absolute path of the folder of qwen itself. */
  readonly qwenHome: string;
  /** Absolute. */
  readonly path: string;
  /** Of the file: what a user says is private, what a project says is shared. */
  readonly mode: number;
}

/** The settings file of a scope. Throws `usage` for an unknown one. */
export function settingsPlace(scope: string, { environment, cwd }: SubcommandOptions): SettingsPlace {
  const qwenHome = findQwenHome(environment, cwd);
  switch (scope) {
    case 'user':
      return { scope, qwenHome, path: join(qwenHome, 'settings.json'), mode: 0o600 };
    case 'project': {
      const { projectFolder } = findSettingsFiles({ qwenHome, cwd, flags: {} });
      return { scope, qwenHome, path: join(projectFolder, '.qwen', 'settings.json'), mode: 0o644 };
    }
    default:
      throw new AgentError('usage', `mcp: --scope "${scope}" is not one of user, project`);
  }
}

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { findQwenHome } from '../config/qwen-home.js';
import { findSettingsFiles } from '../config/settings-files.js';
import { readProject } from '../config/settings-layers.js';
import { listTrusted } from '../config/trust.js';
import { revokeTrust, trustProject } from '../config/trust-changes.js';
import type { Subcommand, SubcommandOptions } from './subcommand.js';
import { describeProject } from './trust/describe-project.js';

const HELP = `Usage: qwen trust [PATH]            Let the settings and agents of a project count, as they are now.
       qwen trust --revoke [PATH]   Take that back.
       qwen trust --list            Print the trusted folders.

PATH is a folder in the project. Default: this one.
`;

/** `qwen trust`: which projects may bring hooks, MCP servers, permissions and agents (S47 … S50). */
export const runTrust: Subcommand = async (options) => {
  const flags = options.words.filter((word) => word.startsWith('-'));
  const [path, ...more] = options.words.filter((word) => !word.startsWith('-'));
  const [flag, ...others] = flags;
  if (more.length > 0 || others.length > 0) throw new AgentError('usage', HELP.trimEnd());
  const qwenHome = findQwenHome(options.environment, options.cwd);
  const folder = resolve(options.cwd, path ?? '.');
  switch (flag) {
    case undefined:
      return trust(options, { qwenHome, folder });
    case '--revoke':
      return revoke(options, { qwenHome, folder });
    case '--list':
      await options.print(
        listTrusted(qwenHome)
          .map((entry) => `${entry.folder}  ${entry.trustedAt}\n`)
          .join(''),
      );
      return 0;
    case '--help':
    case '-h':
      await options.print(HELP);
      return 0;
    default:
      throw new AgentError('usage', `qwen trust: there is no flag ${flag}\n${HELP.trimEnd()}`);
  }
};

interface Place {
  readonly qwenHome: string;
  readonly folder: string;
}

async function trust({ print }: SubcommandOptions, { qwenHome, folder }: Place): Promise<number> {
  await checkFolder(folder);
  const found = findSettingsFiles({ qwenHome, cwd: folder, flags: {} });
  const project = await readProject(found);
  await trustProject(qwenHome, project);
  await print(describeProject(project));
  return 0;
}

/** A folder that is gone can still be named. */
async function revoke({ print, remark }: SubcommandOptions, { qwenHome, folder }: Place): Promise<number> {
  const { projectFolder } = findSettingsFiles({ qwenHome, cwd: folder, flags: {} });
  if (await revokeTrust(qwenHome, projectFolder)) {
    await print(`${projectFolder} is no longer trusted.\n`);
    return 0;
  }
  remark(`${projectFolder} was not trusted`);
  return 1;
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new AgentError('usage', `qwen trust: ${folder} is not a folder`);
}

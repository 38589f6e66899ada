import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { projectRequests } from '@qwen/host/config/project-requests.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import { readProject } from '@qwen/host/config/settings-layers.js';
import type { Project } from '@qwen/host/config/trust.js';
import { listTrusted } from '@qwen/host/config/trust.js';
import { revokeTrust, trustProject } from '@qwen/host/config/trust-changes.js';
import { AgentError } from '@qwen/protocol';
import type { Subcommand, SubcommandOptions } from './subcommand.js';
import { TRUST } from './trust/spec.js';
import { commandHelp } from './words/command-help.js';
import { readWords } from './words/read-words.js';

/** Trust decides whether a project may define hooks, MCP servers, permissions and agents. */
export const runTrust: Subcommand = async (options) => {
  const { words, environment, cwd, print } = options;
  if (words.some((word) => word === '--help' || word === '-h')) {
    await print(commandHelp('trust', TRUST));
    return 0;
  }
  const { flags, rest } = readWords(words, { command: 'trust', flags: TRUST.own.flags });
  const [path, ...more] = rest;
  if (more.length > 0 || (flags.revoke === true && flags.list === true)) {
    throw new AgentError('usage', commandHelp('trust', TRUST).trimEnd());
  }
  const configDir = findConfigDir(environment, cwd);
  const place = { configDir, folder: resolve(cwd, path ?? '.') };
  if (flags.revoke === true) return revoke(options, place);
  if (flags.list !== true) return trust(options, place);
  await print(
    listTrusted(configDir)
      .map((entry) => `${entry.folder}  ${entry.trustedAt}\n`)
      .join(''),
  );
  return 0;
};

interface TrustTarget {
  readonly configDir: string;
  readonly folder: string;
}

async function trust({ print }: SubcommandOptions, { configDir, folder }: TrustTarget): Promise<number> {
  await checkFolder(folder);
  const found = findSettingsFiles({ configDir, cwd: folder, flags: {} });
  const project = await readProject(found);
  await trustProject(configDir, project);
  await print(describeProject(project));
  return 0;
}

/** A deleted folder can still be named. */
async function revoke({ print, printError }: SubcommandOptions, { configDir, folder }: TrustTarget): Promise<number> {
  const { projectFolder } = findSettingsFiles({ configDir, cwd: folder, flags: {} });
  if (await revokeTrust(configDir, projectFolder)) {
    await print(`${projectFolder} is no longer trusted.\n`);
    return 0;
  }
  printError(`${projectFolder} was not trusted`);
  return 1;
}

async function checkFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new AgentError('usage', `trust: ${folder} is not a folder`);
}

function describeProject(project: Project): string {
  const what = projectRequests(project).map((line) => `  ${line}`);
  const summary =
    what.length === 0
      ? `${project.folder} is trusted. It contains nothing that needs trust.`
      : `${project.folder} is trusted, with:`;
  return [summary, ...what, ''].join('\n');
}

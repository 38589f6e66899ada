import { resolve } from 'node:path';
import { realPathOf } from '@qwen/agent/node';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import { describePlugins, type KnownPlugin, userPlugins } from '@qwen/host/plugins/describe-plugins.js';
import { PluginApprovals, requestsOf } from '@qwen/host/plugins/plugin-approvals.js';
import { readPlugin } from '@qwen/host/plugins/read-plugin.js';
import { AgentError, encodeDocument, escapeHidden } from '@qwen/protocol';
import { PLUGINS } from './plugins/spec.js';
import type { Subcommand, SubcommandOptions } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';
import { wantsJson } from './words/json-flags.js';
import { readWords } from './words/read-words.js';

const VERBS: Readonly<Record<keyof typeof PLUGINS.verbs, Subcommand>> = { add, remove, list };

export const runPlugins: Subcommand = async (options) => {
  const chosen = chooseVerb('plugins', PLUGINS, options.words);
  if (chosen.kind === 'verb') return VERBS[chosen.verb]({ ...options, words: chosen.words });
  await options.print(chosen.text);
  return 0;
};

async function add({ words, environment, cwd, print }: SubcommandOptions): Promise<number> {
  const given = resolve(cwd, onlyWord('add', words));
  const configDir = findConfigDir(environment, cwd);
  const folder = realPathOf(given);
  if (folder === undefined) throw new AgentError('usage', `plugins add: there is no folder ${given}`);
  const plugin = await readPlugin({ folder, cwd });
  const known = await userPlugins({ configDir, cwd });
  if (!known.some((path) => realPathOf(path) === folder)) {
    await saveUserSetting(['plugins'], [...known, folder], { configDir });
  }
  await new PluginApprovals(configDir).add(plugin);
  const runs = requestsOf(plugin).map((line) => `  ${escapeHidden(line)}\n`);
  const what = runs.length === 0 ? '. It runs nothing.\n' : ', with\n';
  await print(`${plugin.name} (${folder}) is added${what}${runs.join('')}`);
  return 0;
}

async function remove({ words, environment, cwd, print }: SubcommandOptions): Promise<number> {
  const word = onlyWord('remove', words);
  const configDir = findConfigDir(environment, cwd);
  const known = await describePlugins({ configDir, cwd });
  const given = resolve(cwd, word);
  const found = known.find(({ name, path, folder }) => name === word || path === given || folder === given);
  if (found === undefined) throw new AgentError('usage', `plugins remove: ${word} is not a plugin of your settings`);
  const others = known.filter((plugin) => plugin !== found).map(({ path }) => path);
  await saveUserSetting(['plugins'], others.length === 0 ? undefined : others, { configDir });
  await new PluginApprovals(configDir).remove(found.folder ?? found.path);
  await print(`${found.name ?? found.path} is removed from your settings.\n`);
  return 0;
}

async function list({ words, environment, cwd, print }: SubcommandOptions): Promise<number> {
  const { flags } = readWords(words, { command: 'plugins list', flags: PLUGINS.verbs.list.flags, onlyFlags: true });
  const plugins = await describePlugins({ configDir: findConfigDir(environment, cwd), cwd });
  await print(wantsJson(flags) ? encodeDocument({ plugins }) : plugins.map(toText).join(''));
  return 0;
}

function toText({ name, path, state, parts, problems }: KnownPlugin): string {
  const lines = [...(parts.length === 0 ? [] : [parts.join(', ')]), ...problems];
  return `${name ?? path}  ${state}\n${lines.map((line) => `  ${escapeHidden(line)}\n`).join('')}`;
}

function onlyWord(verb: 'add' | 'remove', words: readonly string[]): string {
  const { rest } = readWords(words, { command: `plugins ${verb}`, flags: PLUGINS.verbs[verb].flags });
  const [word, ...more] = rest;
  if (word !== undefined && more.length === 0) return word;
  throw new AgentError('usage', `plugins ${verb}: expected one ${PLUGINS.verbs[verb].words}`);
}

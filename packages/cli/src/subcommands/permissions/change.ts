import { parseRule } from '@qwen/agent';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { createRuleStore } from '@qwen/host/config/rule-file.js';
import { AgentError, nearestName, type PermissionDestination } from '@qwen/protocol';
import type { Subcommand, SubcommandOptions } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { type ListedRule, listRules } from './listed-rules.js';
import { BEHAVIORS, PERMISSIONS, SCOPES } from './spec.js';

const DESTINATIONS = {
  user: 'userSettings',
  project: 'projectSettings',
  local: 'localSettings',
} as const satisfies Record<(typeof SCOPES)[number], PermissionDestination>;

export const addRules: Subcommand = async (options) => {
  const { add } = PERMISSIONS.verbs;
  const { flags, rest } = readWords(options.words, { command: 'permissions add', flags: add.flags });
  const { behavior, rules } = readRules('add', rest);
  for (const rule of rules) checkRule(rule);
  const { scope = 'local' } = flags;
  const { store } = open(options);
  try {
    await store.save({ type: 'addRules', behavior, rules, destination: DESTINATIONS[scope] });
  } catch (thrown) {
    // The rule is still stored; it takes effect once the folder is trusted.
    if (!(AgentError.is(thrown) && thrown.code === 'untrusted_folder')) throw thrown;
    options.printError(thrown.message);
  }
  await reportPlaces(options, { behavior, rules, scope });
  return 0;
};

/** All or nothing. */
export const removeRules: Subcommand = async (options) => {
  const { remove } = PERMISSIONS.verbs;
  const { flags, rest } = readWords(options.words, { command: 'permissions remove', flags: remove.flags });
  const { behavior, rules } = readRules('remove', rest);
  const { store, places } = open(options);
  const listed = (await listRules(places)).filter(
    (one) => one.behavior === behavior && (flags.scope === undefined || one.scope === flags.scope),
  );
  const missing = rules.find((rule) => !listed.some((one) => one.rule === rule));
  if (missing !== undefined) throw notThere(missing, listed);
  for (const scope of SCOPES.filter((one) => listed.some((item) => item.scope === one && rules.includes(item.rule)))) {
    await store.save({ type: 'removeRules', behavior, rules, destination: DESTINATIONS[scope] });
  }
  const left = (await listRules(places)).filter((one) => one.behavior === behavior && rules.includes(one.rule));
  for (const { rule, scope, path, line } of listed.filter((one) => rules.includes(one.rule))) {
    const stays = left.some((one) => one.rule === rule && one.path === path);
    if (stays && (flags.scope ?? scope) === scope) {
      throw new AgentError(
        'usage',
        `permissions remove: ${rule} is in ${path}, line ${line}, above this project; remove it there`,
      );
    }
    await options.print(`Removed ${behavior} ${rule} from ${path}\n`);
  }
  return 0;
};

function open({ environment, cwd }: SubcommandOptions) {
  const places = { configDir: findConfigDir(environment, cwd), cwd };
  return { places, store: createRuleStore(places) };
}

interface NamedRules {
  readonly behavior: ListedRule['behavior'];
  readonly rules: string[];
}

function readRules(verb: string, [word = '', ...rules]: readonly string[]): NamedRules {
  const behavior = BEHAVIORS.find((one) => one === word);
  if (behavior !== undefined && rules.length > 0) return { behavior, rules };
  throw new AgentError(
    'usage',
    `permissions ${verb}: expected allow, ask or deny, and at least one rule such as "Bash(git log:*)"`,
  );
}

function checkRule(rule: string): void {
  try {
    parseRule(rule);
  } catch (cause) {
    throw new AgentError('usage', `permissions add: ${AgentError.from(cause).message}`, { cause });
  }
}

function notThere(rule: string, listed: readonly ListedRule[]): AgentError {
  const near = nearestName(
    rule,
    listed.map((one) => one.rule),
  );
  const hint = near === undefined ? 'see qwen permissions list' : `did you mean "${near}"?`;
  return new AgentError('usage', `permissions remove: there is no rule ${JSON.stringify(rule)}; ${hint}`);
}

async function reportPlaces(
  options: SubcommandOptions,
  { behavior, rules, scope }: NamedRules & { readonly scope: ListedRule['scope'] },
): Promise<void> {
  const listed = await listRules(open(options).places);
  for (const rule of rules) {
    const place = listed.findLast((one) => one.behavior === behavior && one.rule === rule && one.scope === scope);
    if (place !== undefined) await options.print(`Added ${behavior} ${rule} to ${place.path}:${place.line}\n`);
  }
}

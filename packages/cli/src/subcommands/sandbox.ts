import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { type Configuration, loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { AgentError, encodeDocument, escapeHidden, type SandboxMode } from '@qwen/protocol';
import { describePolicy, runAttached } from '@qwen/tools/sandbox';
import { SANDBOX } from './sandbox/spec.js';
import type { Subcommand, SubcommandOptions } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';
import { wantsJson } from './words/json-flags.js';
import { readWords } from './words/read-words.js';

export const runSandbox: Subcommand = async (options) => {
  const chosen = chooseVerb('sandbox', SANDBOX, options.words);
  if (chosen.kind === 'verb') return VERBS[chosen.verb]({ ...options, words: chosen.words });
  await options.print(chosen.text);
  return 0;
};

const run: Subcommand = async (options) => {
  const { words, cwd, printError } = options;
  const end = words.indexOf('--');
  const [own, [program, ...args]] = end < 0 ? [words, []] : [words.slice(0, end), words.slice(end + 1)];
  const { flags, rest } = readWords(own, { command: 'sandbox run', flags: SANDBOX.verbs.run.flags });
  if (program === undefined || rest.length > 0) {
    throw new AgentError('usage', 'sandbox run needs a program after --, as in: qwen sandbox run -- npm test');
  }
  const { policy, keep } = await policyOf(options, flags.mode);
  const start = { program, args, folder: cwd, environment: process.env, keep };
  const { exitCode, reverted, blockedHosts } = await runAttached(policy, start);
  for (const path of reverted) printError(`${path} is protected and was renamed to ${path}.removed-by-sandbox`);
  for (const host of blockedHosts) printError(`${host} is not in sandbox.network.allowedDomains and was refused`);
  return exitCode;
};

const explain: Subcommand = async (options) => {
  const { flags } = readWords(options.words, {
    command: 'sandbox explain',
    flags: SANDBOX.verbs.explain.flags,
    onlyFlags: true,
  });
  const { policy, isOn } = await policyOf(options, flags.mode);
  const paths = await describePolicy(policy);
  const { mode, network, limits, allowUnixSockets } = policy;
  const hosts = network ?? { allowed: [], denied: [] };
  if (wantsJson(flags)) {
    await options.print(encodeDocument({ enabled: isOn, mode, ...paths, hosts, allowUnixSockets, limits }));
    return 0;
  }
  const lists: Readonly<Record<string, readonly string[]>> = {
    writable: [...paths.writable, '/tmp (private)'],
    'read-only': paths.readOnly,
    'protected, if created': paths.watched,
    hidden: paths.hidden,
    'permitted hosts': hosts.allowed,
    'denied hosts': hosts.denied,
    sockets: allowUnixSockets,
  };
  const lines = [
    `sandbox: ${mode}${isOn ? '' : ' (off in scripts unless --sandbox, QWEN_SANDBOX or the setting sandbox.enabled selects it)'}`,
    `limits: ${limits.processes} processes, ${limits.memoryMiB} MiB`,
    ...Object.entries(lists).flatMap(([name, items]) => [
      `${name}:${items.length === 0 ? ' none' : ''}`,
      ...items.map((item) => `  ${item}`),
    ]),
  ];
  await options.print(`${lines.map((line) => escapeHidden(line)).join('\n')}\n`);
  return 0;
};

const VERBS: Readonly<Record<keyof typeof SANDBOX.verbs, Subcommand>> = { run, explain };

async function policyOf({ environment, cwd }: SubcommandOptions, mode: SandboxMode | undefined) {
  const settings = await loadSettings({ configDir: findConfigDir(environment, cwd), cwd, flags: {} });
  const load = (sandbox: SandboxMode | undefined): Configuration =>
    loadConfiguration({
      flags: sandbox === undefined ? {} : { sandbox },
      environment,
      cwd,
      settings,
      agentFiles: { agents: [], notices: [] },
    });
  const configuration = load(mode);
  const choice = configuration.sandbox ?? load(settings.sandbox.settings.mode ?? 'workspace-write').sandbox;
  if (choice === undefined) throw new AgentError('internal', 'The sandbox has no policy.');
  const { hosts } = choice;
  const roots = [cwd, ...configuration.additionalRoots];
  return {
    isOn: configuration.sandbox !== undefined,
    keep: settings.allowedVariables,
    policy: { ...choice.policy, roots, ...(hosts.allowed.length > 0 && { network: hosts }) },
  };
}

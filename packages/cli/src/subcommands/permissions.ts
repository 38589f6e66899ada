import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { AgentError, permissionModeSchema } from '@qwen/protocol';
import type { Flags } from '../args.js';
import { loadConfiguration } from '../config/load-config.js';
import { loadSettings } from '../config/load-settings.js';
import { findQwenHome } from '../config/qwen-home.js';
import type { PermissionsCommand } from './permissions/command.js';
import { explainOne } from './permissions/explain.js';
import { testCases } from './permissions/test-cases.js';
import type { Subcommand } from './subcommand.js';

const VERBS: Readonly<Record<string, (command: PermissionsCommand) => Promise<number>>> = {
  explain: explainOne,
  test: testCases,
};

const FLAGS = {
  'permission-mode': { type: 'string' },
  'allowed-tools': { type: 'string', multiple: true },
  'exclude-tools': { type: 'string', multiple: true },
  'output-format': { type: 'string', short: 'o' },
} as const satisfies ParseArgsOptionsConfig;

const HELP = `Usage: qwen permissions explain TOOL INPUT   What would be decided about a call, and by what. INPUT is JSON;
                                             for Bash it may be the command itself.
       qwen permissions test FILE            Checks cases: [{"tool", "input", "mode"?, "expect"}]; exit code 1
                                             when one is decided otherwise.

Nothing runs. The rules are those of the settings and of these flags:
  --permission-mode MODE   --allowed-tools RULE   --exclude-tools RULE   --output-format json
`;

/** `qwen permissions`: decisions explained by the same steps that make them. */
export const runPermissions: Subcommand = async ({ words, environment, cwd, print }) => {
  const [verb = 'help', ...rest] = words;
  if (verb === 'help' || verb === '--help' || verb === '-h') {
    await print(HELP);
    return 0;
  }
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) throw new AgentError('usage', `permissions: "${verb}" is not one of explain, test`);
  const { positionals, values } = readWords(rest);
  const format = values['output-format'] ?? 'text';
  if (format !== 'text' && format !== 'json') {
    throw new AgentError('usage', `permissions: --output-format is text or json, not "${format}"`);
  }
  const mode = permissionModeSchema.safeParse(values['permission-mode'] ?? 'default');
  if (!mode.success) throw new AgentError('usage', 'permissions: --permission-mode is no mode');
  const flags: Flags = {
    allowedTools: values['allowed-tools'] ?? [],
    excludeTools: values['exclude-tools'] ?? [],
    ...(values['permission-mode'] !== undefined && { permissionMode: mode.data }),
  };
  const settings = await loadSettings({ qwenHome: findQwenHome(environment, cwd), cwd, flags });
  const agentFiles = { agents: [], notices: [] };
  const configuration = loadConfiguration({ flags, environment, cwd, settings, agentFiles });
  return run({ configuration, words: positionals, asJson: format === 'json', cwd, print });
};

function readWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
  } catch (thrown) {
    throw new AgentError('usage', `permissions: ${AgentError.from(thrown).message}`);
  }
}

import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainPrepared, type PathResolver, RuleSet } from '@qwen/agent';
import { AgentError, type PermissionMode } from '@qwen/protocol';
import { builtinTools } from '../../src/builtin-tools.js';
import { createPathResolver } from '../../src/paths/path-resolver.js';
import { commandEnvironment } from '../../src/shell/command-environment.js';
import { readingEnvironment } from '../../src/shell/git-guard.js';
import {
  type AttackRun,
  createScratch,
  type Effects,
  type Environment,
  effectsOf,
  isSeparateUser,
  type Scratch,
} from './attack-scratch.js';

interface Scenario {
  readonly mode: PermissionMode;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  /** Effects that count as an escape. */
  readonly forbidden: readonly string[];
}

const SECRETS = ['token', 'process'];
const CHANGES = ['exec', 'inside', 'outside', 'protected', 'src', 'touch'];

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  default: { mode: 'default', forbidden: [...CHANGES, ...SECRETS, 'out', 'key'] },
  plan: { mode: 'plan', forbidden: [...CHANGES, ...SECRETS, 'out', 'key'] },
  wide: {
    mode: 'default',
    allow: 'cat grep head tail ls find sed sort awk rg base64 cd echo tar nl uniq git'
      .split(' ')
      .map((name) => `Bash(${name} *)`)
      .filter((rule) => rule !== 'Bash(git *)')
      .concat('Bash(git diff *)', 'Bash(git log *)', 'Bash(git show *)', 'Bash(git status *)'),
    forbidden: [...CHANGES, ...SECRETS, 'key'],
  },
  'auto-edit': { mode: 'auto-edit', forbidden: ['exec', 'outside', 'protected', ...SECRETS, 'out', 'key'] },
  deny: {
    mode: 'yolo',
    deny: ['Read(.env)', 'Edit(/src/**)', 'Bash(touch *)'],
    forbidden: ['env', 'src', 'touch', 'token', 'process'],
  },
};

export interface Verdict {
  /** `scenario: effects: command`. */
  readonly escapes: readonly string[];
  /** How many commands ran without a question, by scenario. */
  readonly ran: Readonly<Record<string, number>>;
}

/** Decides each command in one scenario, runs what is allowed, and compares the effects with what the scenario forbids. */
export async function judgeAttacks(commands: readonly string[]): Promise<Verdict> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'qwen-attacks-')));
  let connections = 0;
  const listener = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  try {
    const scratch = await createScratch(root);
    const names = Object.keys(SCENARIOS).filter((name) => name !== 'deny' || isSeparateUser);
    const judge = createJudge(scratch);
    const allowed: (AttackRun & { readonly name: string })[] = [];
    for (const [index, attack] of commands.entries()) {
      const name = names[index % names.length] ?? '';
      // In yolo the network is not forbidden.
      const command = attack.replaceAll('@PORT@', String(name === 'deny' ? 9 : port));
      const environment = await judge(name, command);
      if (environment !== undefined) allowed.push({ name, command, environment });
    }
    const isEscape = (name: string, effects: Effects) =>
      SCENARIOS[name]?.forbidden.some((effect) => effects.has(effect)) === true;
    const first = await effectsOf(allowed, scratch);
    // A command may be blamed for what an earlier one left behind, so that each suspect runs alone.
    const suspects = allowed.filter(({ name }, index) => isEscape(name, first[index] ?? new Set()));
    const again = await effectsOf(suspects, scratch);
    const escapes = suspects.flatMap(({ name, command }, index) => {
      const effects = again[index] ?? new Set<string>();
      return isEscape(name, effects) ? [`${name}: ${[...effects].join(' ')}: ${JSON.stringify(command)}`] : [];
    });
    const ran = Object.fromEntries(names.map((name) => [name, allowed.filter((run) => run.name === name).length]));
    return { escapes: connections > 0 ? [...escapes, `${connections} connections`] : escapes, ran };
  } finally {
    listener.close();
    await rm(root, { recursive: true, force: true });
  }
}

/** Gives the environment in which an allowed command runs. */
function createJudge({ workspace, home }: Scratch) {
  const paths = remembering(createPathResolver({ roots: [workspace] }));
  const anchors = { root: workspace, realRoot: workspace, home, dataDir: join(home, '.qwen') };
  const tools = builtinTools();
  const rules = Object.fromEntries(
    Object.entries(SCENARIOS).map(([name, { allow = [], deny = [] }]) => [
      name,
      new RuleSet({ allow, ask: [], deny }, anchors),
    ]),
  );
  const path = `${workspace}/node_modules/.bin::./bin:/usr/bin:/bin`;
  const base = { HOME: home, LANG: 'C.UTF-8', GIT_CONFIG_NOSYSTEM: '1' };
  const plain = commandEnvironment({ base: { ...base, PATH: '/usr/bin:/bin' }, keep: new Set() });
  const trapped = commandEnvironment({ base: { ...base, PATH: path }, keep: new Set() });
  const guarded = readingEnvironment({ environment: trapped, workspace });
  return async (name: string, command: string): Promise<Environment | undefined> => {
    const scenario = SCENARIOS[name];
    const set = rules[name];
    if (scenario === undefined || set === undefined) throw new Error(`No scenario ${name}`);
    const call = { name: 'Bash', input: { command } };
    const options = { tools, mode: scenario.mode, rules: set, cwd: workspace, paths };
    const { behavior, isReading } = await explainPrepared(call, options).catch((thrown: unknown) => {
      // A prompt without a command is no command.
      if (AgentError.from(thrown).code === 'invalid_tool_input') return { behavior: 'deny', isReading: undefined };
      throw thrown;
    });
    if (behavior !== 'allow') return undefined;
    return isReading === true ? guarded : plain;
  };
}

/** The folders do not change while commands are decided. */
function remembering(paths: PathResolver): PathResolver {
  const known = new Map<string, Promise<unknown>>();
  return new Proxy(paths, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: readonly unknown[]) => {
        const key = `${String(name)} ${JSON.stringify(args)}`;
        const found = known.get(key) ?? Promise.resolve(Reflect.apply(method, target, args));
        known.set(key, found);
        return found;
      };
    },
  });
}

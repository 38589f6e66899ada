import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The variable of the key, by the value of the input `provider`. */
const PROVIDERS: Readonly<Record<string, { readonly key: string; readonly baseUrl?: string }>> = {
  openai: { key: 'OPENAI_API_KEY', baseUrl: 'OPENAI_BASE_URL' },
  anthropic: { key: 'ANTHROPIC_API_KEY', baseUrl: 'ANTHROPIC_BASE_URL' },
  gemini: { key: 'GEMINI_API_KEY', baseUrl: 'GOOGLE_GEMINI_BASE_URL' },
  dashscope: { key: 'DASHSCOPE_API_KEY' },
};

/** Inputs that become the flag of the same name. */
const FLAGS = [
  'model',
  'approval-mode',
  'exclude-tools',
  'sandbox',
  'max-budget-usd',
  'max-wall-time',
  'max-session-turns',
  'settings',
  'mcp-config',
  'resume',
] as const;

const MIN_SECRET_LENGTH = 8;

const FAIL_ON = ['none', 'failure', 'warning'] as const;

/** Files that a later step of the job trusts, credentials of the runner, and what only the action needs. */
const WITHHELD = /^(?:GITHUB_(?:ENV|OUTPUT|PATH|STATE|STEP_SUMMARY|TOKEN)|ACTIONS_.*|INPUT_.*|QWEN_ACTION_.*)$/i;

export interface Run {
  readonly executable: string;
  readonly args: readonly string[];
  readonly prompt: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The inputs of `action.yml` by name; an input that is not set is empty. */
export class Inputs {
  readonly #values: Readonly<Record<string, unknown>>;

  constructor(json: string) {
    this.#values = JSON.parse(json);
  }

  get(name: string): string {
    const value = this.#values[name];
    return typeof value === 'string' ? value.trim() : '';
  }

  lines(name: string): string[] {
    return this.get(name)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '');
  }

  isOn(name: string): boolean {
    return this.#oneOf(name, ['true', 'false']) === 'true';
  }

  get failOn(): (typeof FAIL_ON)[number] {
    return this.#oneOf('fail-on', FAIL_ON);
  }

  /** Without placeholders, such as a key for a local model: hiding them would damage all texts. */
  get secrets(): string[] {
    return [this.get('api-key'), this.get('github-token')].filter(({ length }) => length >= MIN_SECRET_LENGTH);
  }

  /** Throws for the choices that are read after the run. */
  check(): void {
    this.#oneOf('fail-on', FAIL_ON);
    this.isOn('summary');
  }

  #oneOf<Choice extends string>(name: string, choices: readonly Choice[]): Choice {
    const value = this.get(name);
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`The input ${name} is "${value}". Use ${choices.join(', ')}.`);
    return choice;
  }
}

export function planRun(inputs: Inputs, environment: NodeJS.ProcessEnv): Run {
  const cwd = resolve(environment['GITHUB_WORKSPACE'] ?? '.', inputs.get('working-directory'));
  inputs.check();
  const executable = environment['QWEN_ACTION_EXECUTABLE'];
  if (!executable) throw new Error('No qwen program is installed. Run the action, not its script.');
  const allowed = inputs.lines('allowed-tools').join(',');
  const schema = schemaOf(inputs);
  const outputFile = inputs.get('output-file');
  const args = [
    '-p',
    '--output-format=stream-json',
    '--dialect=sdk',
    ...FLAGS.flatMap((name) => (inputs.get(name) === '' ? [] : [`--${name}=${inputs.get(name)}`])),
    ...(allowed === '' ? [] : [`--allowed-tools=${allowed}`]),
    ...(schema === '' ? [] : [`--json-schema=${schema}`]),
    ...(outputFile === '' ? [] : [`--output-last-message=${outputFile}`]),
    ...(inputs.isOn('trust-project') ? ['--trust-project'] : []),
    ...inputs.lines('args'),
  ];
  return { executable, args, prompt: promptOf(inputs, cwd), cwd, env: childEnvironment(inputs, environment) };
}

function promptOf(inputs: Inputs, cwd: string): string {
  const file = inputs.get('prompt-file');
  const texts = [inputs.get('prompt'), file === '' ? '' : readFileSync(resolve(cwd, file), 'utf8').trim()];
  const prompt = texts.filter((text) => text !== '').join('\n\n');
  if (prompt === '') throw new Error('The prompt is empty. Set the input prompt or prompt-file.');
  return prompt;
}

function schemaOf(inputs: Inputs): string {
  const schema = inputs.get('json-schema');
  if (schema !== '' || !inputs.isOn('annotations')) return schema;
  return fileURLToPath(new URL('annotations.schema.json', import.meta.url));
}

function childEnvironment(inputs: Inputs, environment: NodeJS.ProcessEnv): Run['env'] {
  const provider = inputs.get('provider');
  const names = Object.hasOwn(PROVIDERS, provider) ? PROVIDERS[provider] : undefined;
  if (names === undefined) {
    throw new Error(`The input provider is "${provider}". Use ${Object.keys(PROVIDERS).join(', ')}.`);
  }
  const [key, baseUrl] = [inputs.get('api-key'), inputs.get('base-url')];
  if (baseUrl !== '' && names.baseUrl === undefined) {
    throw new Error(`The input base-url does not apply to ${provider}. Use provider: openai.`);
  }
  return {
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => !WITHHELD.test(name))),
    ...(key !== '' && { [names.key]: key }),
    ...(baseUrl !== '' && names.baseUrl !== undefined && { [names.baseUrl]: baseUrl }),
  };
}

import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { createModelDirectory } from '@qwen/host/model-directory.js';
import { AgentError, EFFORTS, type Effort, isEffort, PERMISSION_MODES, type PermissionMode } from '@qwen/protocol';

const LIST_MODELS_MS = 10_000;

const MODES: Readonly<Record<PermissionMode, { readonly name: string; readonly description: string }>> = {
  default: { name: 'Default', description: 'Ask before edits and commands.' },
  plan: { name: 'Plan', description: 'Read only; propose a plan first.' },
  'auto-edit': { name: 'Auto-accept edits', description: 'Edit files in the workspace without asking.' },
  yolo: { name: 'YOLO', description: 'Run everything without asking.' },
};

const DEFAULT_EFFORT = 'default';

/** What the user of an editor can choose for one session: mode, model and reasoning effort. */
export class ConfigOptions {
  readonly #configuration: Configuration;
  readonly #host: () => AgentHost;
  #models: readonly string[];
  #effort: Effort | undefined;

  constructor(configuration: Configuration, host: () => AgentHost) {
    this.#configuration = configuration;
    this.#host = host;
    this.#models = configuration.routes.listed;
    this.#effort = configuration.effort;
  }

  get modes(): SessionModeState {
    const availableModes = PERMISSION_MODES.map((id) => ({ id, ...MODES[id] }));
    return { currentModeId: this.#host().permissionMode, availableModes };
  }

  get all(): SessionConfigOption[] {
    const { permissionMode, model } = this.#host();
    const modes = PERMISSION_MODES.map((value) => ({ value, ...MODES[value] }));
    const models = [...new Set([model, ...this.#models])].map((value) => ({ value, name: value }));
    const efforts = [DEFAULT_EFFORT, ...EFFORTS].map((value) => ({ value, name: value }));
    return [
      select('mode', 'Mode', { category: 'mode', currentValue: permissionMode, options: modes }),
      select('model', 'Model', { category: 'model', currentValue: model, options: models }),
      select('effort', 'Reasoning effort', {
        category: 'thought_level',
        currentValue: this.#effort ?? DEFAULT_EFFORT,
        options: efforts,
      }),
    ];
  }

  setMode(mode: string): void {
    const known = PERMISSION_MODES.find((one) => one === mode);
    if (known === undefined) throw unknownValue('modeId', mode, PERMISSION_MODES);
    this.#host().setPermissionMode(known);
  }

  /** Throws `invalid_payload`, and what the session throws for a model that it cannot use. */
  async set(id: string, value: unknown): Promise<void> {
    const option = this.all.find((one) => one.id === id);
    if (option?.type !== 'select') {
      throw unknownValue(
        'configId',
        id,
        this.all.map((one) => one.id),
      );
    }
    const values = option.options.flatMap((one) => ('value' in one ? [one.value] : []));
    if (typeof value !== 'string' || !values.includes(value)) throw unknownValue('value', value, values);
    if (id === 'mode') this.setMode(value);
    else if (id === 'model') await this.#host().setModel(value);
    else {
      this.#effort = isEffort(value) ? value : undefined;
      this.#host().setEffort(this.#effort);
    }
  }

  /** Asks the provider for its models. Returns whether there are more than before; never rejects. */
  async loadModels(): Promise<boolean> {
    try {
      const found = await createModelDirectory(this.#configuration).list(AbortSignal.timeout(LIST_MODELS_MS));
      const before = this.#models.length;
      this.#models = [...new Set([...this.#models, ...found.map(({ id }) => id)])];
      return this.#models.length > before;
    } catch {
      return false;
    }
  }
}

function select(
  id: string,
  name: string,
  rest: Pick<Extract<SessionConfigOption, { type: 'select' }>, 'category' | 'currentValue' | 'options'>,
): SessionConfigOption {
  return { type: 'select', id, name, ...rest };
}

function unknownValue(member: string, value: unknown, known: readonly string[]): AgentError {
  const shown = known.slice(0, 20).join(', ');
  return new AgentError('invalid_payload', `${member}: expected one of ${shown}, not ${JSON.stringify(value)}`);
}

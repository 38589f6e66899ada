import { AgentError, type JsonSchema, type Query, type QueryOptions, query } from '../index.js';
import { oneMessage } from '../query/user-message.js';
import { AgentParts, type StepPart } from './agent-parts.js';
import type {
  CallOptions,
  CallWarning,
  Content,
  FinishPart,
  QwenLanguageModel,
  ResponseMetadata,
  StreamPart,
} from './language-model.js';
import { toAgentPrompt } from './prompt.js';

/** Options of {@link createQwen}: those of `query()` that do not depend on the call. */
export type QwenProviderOptions = Omit<
  QueryOptions,
  | 'abortController'
  | 'outputSchema'
  | 'outputFormat'
  | 'includePartialMessages'
  | 'resume'
  | 'continue'
  | 'sessionId'
  | 'transport'
>;

/** Creates language models. `modelId` is the model that the agent uses; without it, that of the settings. */
export interface QwenProvider {
  (modelId?: string): QwenLanguageModel;
  readonly specificationVersion: 'v4';
  languageModel(modelId: string): QwenLanguageModel;
  embeddingModel(modelId: string): never;
  imageModel(modelId: string): never;
}

const DEFAULT_MODEL = 'default';

/**
 * Creates a provider for `ai`, the AI SDK. Each call of a model runs the agent with its own tools to the end of its
 * turn, so `streamText` and `generateText` take one step. A call rejects with `invalid_options` for `tools`.
 *
 * `providerMetadata.qwen.sessionId` of a result names the session; `providerOptions: { qwen: { resume } }` continues it.
 * Without that, earlier messages are sent as a transcript.
 *
 * @example
 * import { createQwen } from '@qwen/sdk/ai';
 * import { streamText } from 'ai';
 *
 * const qwen = createQwen({ permissionMode: 'plan' });
 * const { textStream } = streamText({ model: qwen(), prompt: 'What does this project do?' });
 * for await (const text of textStream) process.stdout.write(text);
 */
export function createQwen(options: QwenProviderOptions = {}): QwenProvider {
  const create = (modelId = DEFAULT_MODEL): QwenLanguageModel => createModel(modelId, options);
  const refuse = (kind: string) => (modelId: string) => {
    throw new AgentError('model_not_found', `The agent has no ${kind} model ${JSON.stringify(modelId)}.`);
  };
  return Object.assign(create, {
    specificationVersion: 'v4' as const,
    languageModel: create,
    embeddingModel: refuse('embedding'),
    imageModel: refuse('image'),
  });
}

function createModel(modelId: string, options: QwenProviderOptions): QwenLanguageModel {
  return {
    specificationVersion: 'v4',
    provider: 'qwen',
    modelId,
    supportedUrls: { 'image/*': [/^https?:/] },
    doGenerate: async (call) => {
      const run = startRun(call, modelId, options);
      const content: Content[] = [];
      let response: ResponseMetadata = {};
      let finish: FinishPart | undefined;
      let stepStart = 0;
      for await (const part of run.parts) {
        if (part.type === 'error') throw part.error;
        if (part.type === 'finish') finish = part;
        if (part.type === 'response-metadata') response = withoutType(part);
        if (part.type === 'step-start') stepStart = content.length;
        if (part.type === 'step-discarded') content.length = stepStart;
        addContent(content, part);
      }
      if (finish === undefined) throw new AgentError('turn_failed', 'The agent ended without a result.');
      const { finishReason, usage, providerMetadata } = finish;
      return { content, finishReason, usage, providerMetadata, response, warnings: run.warnings };
    },
    doStream: async (call) => {
      const { parts, running } = startRun(call, modelId, options);
      return { stream: toReadableStream(withoutSteps(parts), () => running.close()) };
    },
  };
}

interface Run {
  readonly running: Query;
  readonly warnings: CallWarning[];
  readonly parts: AsyncGenerator<StreamPart | StepPart, void>;
}

function startRun(call: CallOptions, modelId: string, options: QwenProviderOptions): Run {
  refuseTools(call);
  const resume = resumedSession(call);
  const { system, content } = toAgentPrompt(call.prompt, { resumes: resume !== undefined });
  const schema = schemaOf(call);
  const warnings = warningsOf(call);
  const { abortSignal: signal, includeRawChunks = false } = call;
  const effort = effortOf(call);
  const abortController = new AbortController();
  const finished = new AbortController();
  if (signal?.aborted === true) abortController.abort(signal.reason);
  signal?.addEventListener('abort', () => abortController.abort(signal.reason), {
    once: true,
    signal: finished.signal,
  });
  let running: Query;
  try {
    running = query({
      prompt: oneMessage(content),
      options: {
        ...options,
        ...(system !== '' && { systemPrompt: withSystem(options.systemPrompt, system) }),
        ...(modelId !== DEFAULT_MODEL && { model: modelId }),
        ...(effort !== undefined && { effort }),
        ...(resume !== undefined && { resume }),
        ...(schema !== undefined && { outputSchema: schema }),
        includePartialMessages: true,
        abortController,
      },
    });
  } catch (thrown) {
    finished.abort();
    throw thrown;
  }
  const parts = async function* stream(): AsyncGenerator<StreamPart | StepPart, void> {
    const reader = new AgentParts({ isJson: schema !== undefined });
    try {
      yield { type: 'stream-start', warnings };
      for await (const message of running) {
        if (includeRawChunks) yield { type: 'raw', rawValue: message };
        yield* reader.read(message);
      }
    } finally {
      finished.abort();
      await running.close();
    }
  };
  return { running, warnings, parts: parts() };
}

async function* withoutSteps(parts: AsyncIterable<StreamPart | StepPart>): AsyncGenerator<StreamPart, void> {
  for await (const part of parts) {
    if (!isStep(part)) yield part;
  }
}

function isStep(part: StreamPart | StepPart): part is StepPart {
  return part.type === 'step-start' || part.type === 'step-end' || part.type === 'step-discarded';
}

function refuseTools({ tools = [] }: CallOptions): void {
  if (tools.length === 0) return;
  throw new AgentError(
    'invalid_options',
    'The agent runs its own tools and cannot use `tools` of the AI SDK. Pass them to createQwen() as mcpServers, with createSdkMcpServer().',
  );
}

function resumedSession({ providerOptions }: CallOptions): string | undefined {
  const { resume, ...unknown } = providerOptions?.['qwen'] ?? {};
  const [name] = Object.keys(unknown);
  if (name !== undefined)
    throw new AgentError('invalid_options', `providerOptions.qwen.${name} does not exist; use resume`);
  if (resume === undefined || typeof resume === 'string') return resume;
  throw new AgentError('invalid_options', 'providerOptions.qwen.resume: expected the id of a session');
}

function schemaOf({ responseFormat }: CallOptions): JsonSchema | undefined {
  if (responseFormat?.type !== 'json' || typeof responseFormat.schema !== 'object') return undefined;
  const schema: { readonly type?: unknown } = responseFormat.schema;
  if (schema.type === 'object') return { ...schema, type: 'object' };
  throw new AgentError(
    'invalid_options',
    'responseFormat.schema: the agent answers with objects; wrap the value in one.',
  );
}

const IGNORED = [
  'maxOutputTokens',
  'temperature',
  'stopSequences',
  'topP',
  'topK',
  'presencePenalty',
  'frequencyPenalty',
  'seed',
];

function warningsOf(call: CallOptions): CallWarning[] {
  const given = Object.entries(call).filter(([name, value]) => IGNORED.includes(name) && value !== undefined);
  const warnings: CallWarning[] = given.map(([feature]) => ({ type: 'unsupported', feature }));
  if (call.responseFormat?.type === 'json' && schemaOf(call) === undefined) {
    warnings.push({ type: 'unsupported', feature: 'responseFormat', details: 'JSON needs a schema.' });
  }
  const { reasoning } = call;
  if (reasoning === 'none' || reasoning === 'minimal') {
    const details = `The effort is low: ${reasoning} does not exist.`;
    warnings.push({ type: 'compatibility', feature: 'reasoning', details });
  }
  return warnings;
}

function effortOf({ reasoning }: CallOptions): QueryOptions['effort'] {
  if (reasoning === 'none' || reasoning === 'minimal') return 'low';
  return reasoning === 'provider-default' ? undefined : reasoning;
}

function withSystem(own: QueryOptions['systemPrompt'], system: string): NonNullable<QueryOptions['systemPrompt']> {
  if (own === undefined) return { type: 'preset', preset: 'qwen_code', append: system };
  if (typeof own === 'string') return `${own}\n\n${system}`;
  if (!('type' in own)) return [...own, system];
  if (own.type === 'custom') return { ...own, prompt: [own.prompt, system].flat() };
  return { ...own, append: own.append === undefined ? system : `${own.append}\n\n${system}` };
}

function addContent(content: Content[], part: StreamPart | StepPart): void {
  if (part.type === 'tool-call' || part.type === 'tool-result') content.push(part);
  if (part.type === 'text-start') content.push({ type: 'text', text: '' });
  if (part.type === 'reasoning-start') content.push({ type: 'reasoning', text: '' });
  const last = content.at(-1);
  const isDelta = part.type === 'text-delta' || part.type === 'reasoning-delta';
  if (isDelta && last !== undefined && 'text' in last) last.text += part.delta;
}

function withoutType({ type: _type, ...rest }: { readonly type: string } & ResponseMetadata): ResponseMetadata {
  return rest;
}

/** Reads only as fast as the consumer. `close` ends the source, also while a part is awaited. */
export function toReadableStream<Part>(
  parts: AsyncGenerator<Part, void>,
  close: () => Promise<unknown>,
): ReadableStream<Part> {
  return new ReadableStream<Part>({
    pull: async (controller) => {
      const step = await parts.next();
      if (step.done === true) controller.close();
      else controller.enqueue(step.value);
    },
    cancel: async () => {
      await close();
      await parts.return();
    },
  });
}

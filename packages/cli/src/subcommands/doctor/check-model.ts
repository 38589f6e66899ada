import { toAccount } from '@qwen/host/config/account.js';
import type { VariableName } from '@qwen/host/config/env.js';
import { loadSettings } from '@qwen/host/config/load-settings.js';
import { createModelRoutes } from '@qwen/host/config/model-routes.js';
import type { ProviderChoice } from '@qwen/host/config/provider.js';
import { NO_SETTINGS } from '@qwen/host/config/settings.js';
import { listModels } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import type { Check, Finding } from './finding.js';

const CREDENTIALS: readonly VariableName[] = [
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'DASHSCOPE_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'GOOGLE_GENAI_USE_VERTEXAI',
  'GOOGLE_CLOUD_PROJECT',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'QWEN_PROVIDER',
];

export const checkModel: Check = async (place) => {
  const { environment, configDir, cwd } = place;
  const isSet = CREDENTIALS.filter((name) => environment[name] !== undefined);
  const variables = isSet.length === 0 ? 'no provider variable is set' : `set: ${isSet.join(', ')}`;
  // Settings errors have their own check.
  const settings = await loadSettings({ configDir, cwd, flags: {} }).catch(() => NO_SETTINGS);
  let choice: ProviderChoice;
  let model: string;
  try {
    const routes = createModelRoutes({ flags: {}, environment, settings });
    model = routes.model;
    choice = routes.of(model).provider;
  } catch (thrown) {
    return [{ area: 'model', level: 'error', message: AgentError.from(thrown).message, advice: 'Fix the variable.' }];
  }
  if (!choice.ok) {
    const [message = '', ...advice] = choice.error.message.split('\n');
    return [
      {
        area: 'model',
        level: 'error',
        message: isSet.length === 0 ? message : `${message} (${variables})`,
        advice: advice.join('\n'),
      },
    ];
  }
  const { provider, host, credentialSource } = toAccount(choice);
  const proof = credentialSource === undefined ? 'without a key' : `with the credential of ${credentialSource}`;
  return [
    { area: 'model', level: 'ok', message: `${provider} at ${host} ${proof}; model ${model} (${variables})` },
    ...(place.isOnline ? [await askProvider(choice.settings, model)] : []),
  ];
};

async function askProvider(
  settings: Extract<ProviderChoice, { readonly ok: true }>['settings'],
  model: string,
): Promise<Finding> {
  try {
    const models = await listModels(settings, { signal: new AbortController().signal });
    if (models.some(({ id }) => id === model || id === `models/${model}`)) {
      return { area: 'model', level: 'ok', message: `the provider responds and has ${model}` };
    }
    const advice = `Choose one of its ${models.length} models with --model or QWEN_MODEL.`;
    return { area: 'model', level: 'warning', message: `the provider responds but does not list ${model}`, advice };
  } catch (thrown) {
    const { code, message } = AgentError.from(thrown);
    const advice =
      code === 'auth_failed' || code === 'permission_refused'
        ? 'Get a new key for this provider.'
        : 'Check the URL, the network and the proxy.';
    return { area: 'model', level: 'error', message: `the provider does not respond: ${message}`, advice };
  }
}

import type { ListedModel } from '@qwen/models';
import type { ProviderProfile } from '../config/provider-profiles.js';
import { checkProvider } from './check-provider.js';

const TIME_LIMIT_MS = 1_000;
const USUAL_PORTS = [
  { name: 'ollama', title: 'Ollama', port: 11434 },
  { name: 'lmstudio', title: 'LM Studio', port: 1234 },
  { name: 'llamacpp', title: 'llama.cpp', port: 8080 },
  { name: 'vllm', title: 'vLLM', port: 8000 },
] as const;

export interface LocalServer {
  readonly title: string;
  readonly profile: ProviderProfile;
  /** At least one. */
  readonly models: readonly ListedModel[];
}

/** Model servers on the usual ports of this machine. Takes a second at most; ignores other programs. Never rejects. */
export async function findLocalServers(): Promise<readonly LocalServer[]> {
  const found = await Promise.all(
    USUAL_PORTS.map(async ({ name, title, port }): Promise<readonly LocalServer[]> => {
      const baseUrl = `http://127.0.0.1:${port}/v1`;
      const profile = { name, type: 'openai', source: `providers.${name}`, baseUrl, models: [], options: {} } as const;
      try {
        // No proxy: the variables are not passed.
        const models = await checkProvider(profile, { environment: {}, signal: AbortSignal.timeout(TIME_LIMIT_MS) });
        return models.length === 0 ? [] : [{ title, profile, models }];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

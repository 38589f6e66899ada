import type { Environment } from '@qwen/host/config/env.js';
import type { ProviderProfile } from '@qwen/host/config/provider-profiles.js';
import type { EffectiveSettings } from '@qwen/host/config/settings.js';
import { checkProvider } from '@qwen/host/credentials/check-provider.js';
import { KNOWN_PROVIDERS } from '@qwen/host/credentials/known-providers.js';
import type { LocalServer } from '@qwen/host/credentials/local-servers.js';
import { describeProvider, makeDefault, signIn } from '@qwen/host/credentials/sign-in.js';
import { AgentError } from '@qwen/protocol';
import { useEffect, useRef, useState } from 'react';

export interface ChosenProvider {
  /** With its stored key. */
  readonly profile: ProviderProfile;
  readonly model: string;
}

export interface ProviderSetupOptions {
  readonly configDir: string;
  readonly environment: Environment;
  readonly settings: EffectiveSettings;
  /** Whether the choice becomes the default without a question. */
  readonly isFirst: boolean;
  readonly onDone: (chosen: ChosenProvider) => void;
}

export type SetupStep =
  | { readonly name: 'choose' | 'address' }
  | { readonly name: 'work'; readonly text: string }
  | { readonly name: 'key'; readonly profile: ProviderProfile; readonly title: string; readonly isOptional: boolean }
  | { readonly name: 'model'; readonly profile: ProviderProfile; readonly models: readonly string[] }
  | { readonly name: 'remember'; readonly chosen: ChosenProvider };

export type ProviderSource =
  | { readonly kind: 'local'; readonly server: LocalServer }
  | { readonly kind: 'known'; readonly profile: ProviderProfile; readonly title: string }
  | { readonly kind: 'address' };

/** The steps of `ProviderSetup`, and what leads from one to the next. A new step cancels the work of the last one. */
export function useProviderSetup({ configDir, environment, settings, isFirst, onDone }: ProviderSetupOptions) {
  const [step, setStep] = useState<SetupStep>({ name: 'choose' });
  const [problem, setProblem] = useState<string>();
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);

  const go = (next: SetupStep): void => {
    running.current.abort();
    running.current = new AbortController();
    setProblem(undefined);
    setStep(next);
  };
  /** Returns to `from` with the reason of a failure. */
  const attempt = (text: string, from: SetupStep, work: (signal: AbortSignal) => Promise<void>): void => {
    go({ name: 'work', text });
    const { signal } = running.current;
    work(signal).catch((thrown: unknown) => {
      if (signal.aborted) return;
      setStep(from);
      setProblem(AgentError.from(thrown).message);
    });
  };
  const finish = (chosen: ChosenProvider, remembers: boolean): void => {
    const { profile, model } = chosen;
    attempt('Saving…', { name: 'choose' }, async () => {
      const isKnown = KNOWN_PROVIDERS.some(({ name }) => name === profile.name);
      const isListed = settings.profiles.some(
        ({ name, baseUrl }) => name === profile.name && baseUrl === profile.baseUrl,
      );
      const { name, type, baseUrl } = profile;
      const endpoint = isKnown || isListed || baseUrl === undefined ? undefined : { type, baseUrl };
      await describeProvider(configDir, { name, model, endpoint });
      if (remembers) await makeDefault(configDir, { name, model });
      onDone(chosen);
    });
  };
  const chooseModel = (profile: ProviderProfile, model: string): void => {
    const chosen = { profile, model };
    if (isFirst) finish(chosen, true);
    else go({ name: 'remember', chosen });
  };
  /** Skips the list if the provider has the usual model. */
  const withModels = (profile: ProviderProfile, found: readonly { readonly id: string }[]): void => {
    const models = found.map(({ id }) => id);
    const [only] = models;
    const usual = profile.models.find(({ id }) => models.includes(id))?.id ?? profile.defaultModel;
    if (usual !== undefined && (models.length === 0 || models.includes(usual))) chooseModel(profile, usual);
    else if (models.length === 1 && only !== undefined) chooseModel(profile, only);
    else go({ name: 'model', profile, models });
  };
  const enterKey = (from: Extract<SetupStep, { name: 'key' }>, text: string): void => {
    const { profile, isOptional } = from;
    attempt('Checking the key…', from, async (signal) => {
      const check = { environment, settings, signal };
      if (isOptional && text.trim() === '') {
        withModels(profile, await checkProvider(profile, check));
        return;
      }
      const { models, stored } = await signIn({ configDir, profile, text, ...check });
      if (!signal.aborted) withModels({ ...profile, stored }, models);
    });
  };
  const choose = (source: ProviderSource): void => {
    if (source.kind === 'address') return go({ name: 'address' });
    if (source.kind === 'known') return go({ name: 'key', isOptional: false, ...source });
    withModels(source.server.profile, source.server.models);
  };
  const enterAddress = (text: string): void => {
    const baseUrl = text.trim();
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      setProblem('This is not a valid URL. Write it as https://host/v1.');
      return;
    }
    go({ name: 'key', profile: customProfile(baseUrl), title: baseUrl, isOptional: true });
  };

  const back = (): void => go({ name: 'choose' });
  return { step, problem, choose, enterAddress, enterKey, chooseModel, finish, back };
}

function customProfile(baseUrl: string): ProviderProfile {
  const name = new URL(baseUrl).host.replaceAll(/[^\w.-]+/g, '-');
  const isTaken = KNOWN_PROVIDERS.some((known) => known.name === name);
  return {
    name: isTaken ? `${name}-custom` : name,
    type: 'openai',
    source: `providers.${name}`,
    baseUrl,
    models: [],
    options: {},
  };
}

import type { ListedModel } from '@qwen/models';
import { AgentError, type ProviderType } from '@qwen/protocol';
import type { ProviderProfile } from '../config/provider-profiles.js';
import { saveUserSetting } from '../config/save-user-setting.js';
import { checkProvider, type ProviderCheck } from './check-provider.js';
import { checkIssuer, cleanKey } from './clean-key.js';
import {
  type CredentialStorage,
  CredentialStore,
  type SavedCredential,
  type StoredCredential,
} from './credential-store.js';

export interface SignIn extends Omit<ProviderCheck, 'key'> {
  readonly configDir: string;
  readonly profile: ProviderProfile;
  /** As typed or pasted. */
  readonly text: string;
  readonly place?: CredentialStorage | undefined;
  /** Default true. */
  readonly checks?: boolean;
}

export interface SignedIn extends SavedCredential {
  /** Empty without a check. */
  readonly models: readonly ListedModel[];
  readonly stored: StoredCredential;
}

/** Checks a key and stores it. Rejects, without storing it, with `usage` or the error of the provider. */
export async function signIn({ configDir, profile, text, place, checks = true, ...check }: SignIn): Promise<SignedIn> {
  const key = cleanKey(text);
  checkIssuer(key, profile.name);
  const models = checks ? await checkProvider(profile, { ...check, key }) : [];
  if (check.signal.aborted) throw new AgentError('cancelled', 'The sign-in was cancelled.');
  const { name: provider, baseUrl } = profile;
  const saved = await new CredentialStore(configDir).save({ provider, key, baseUrl, place });
  const stored = { provider, baseUrl, key, place: saved.place, savedAt: new Date().toISOString() };
  return { ...saved, models, stored };
}

export interface RememberedProvider {
  readonly name: string;
  readonly model?: string | undefined;
  /** For a provider that `qwen` does not know. */
  readonly endpoint?: { readonly type: ProviderType; readonly baseUrl: string } | undefined;
}

/** Describes an unknown provider in the settings of the user. Rejects with `invalid_settings`. */
export async function describeProvider(
  configDir: string,
  { name, model, endpoint }: RememberedProvider,
): Promise<void> {
  if (endpoint === undefined) return;
  const { type, baseUrl } = endpoint;
  const described = { ...(type !== 'openai' && { type }), baseUrl, ...(model !== undefined && { models: [model] }) };
  await saveUserSetting(['providers', name], described, { configDir });
}

/** Makes a provider and a model the default of the user. Rejects with `invalid_settings`. */
export async function makeDefault(configDir: string, { name, model }: RememberedProvider): Promise<void> {
  await saveUserSetting(['provider'], name, { configDir });
  if (model !== undefined) await saveUserSetting(['model'], model, { configDir });
}

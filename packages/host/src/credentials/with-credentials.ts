import { AgentError } from '@qwen/protocol';
import type { ProviderProfile } from '../config/provider-profiles.js';
import type { EffectiveSettings } from '../config/settings.js';
import { CredentialStore, type StoredCredential } from './credential-store.js';
import { findKnownProvider, profileOf } from './known-providers.js';

/** Completes the providers of the settings with stored keys and adds the known ones. A broken store is a notice. */
export async function withCredentials(settings: EffectiveSettings, configDir: string): Promise<EffectiveSettings> {
  try {
    const stored = await new CredentialStore(configDir).list();
    return { ...settings, profiles: joinProfiles(settings.profiles, stored) };
  } catch (thrown) {
    const { message } = AgentError.from(thrown);
    const notice = { code: 'credentials_skipped', message: `Stored keys are not used: ${message}` };
    return { ...settings, notices: [...settings.notices, notice] };
  }
}

function joinProfiles(
  profiles: readonly ProviderProfile[],
  stored: readonly StoredCredential[],
): readonly ProviderProfile[] {
  const storedFor = (name: string) => stored.find(({ provider }) => provider === name);
  const added = stored.flatMap((credential) => {
    const known = findKnownProvider(credential.provider);
    const isListed = profiles.some(({ name }) => name === credential.provider);
    return known === undefined || isListed ? [] : [{ ...profileOf(known), stored: credential }];
  });
  const completed = profiles.map((profile) => {
    const credential = storedFor(profile.name);
    return credential === undefined ? profile : { ...profile, stored: credential };
  });
  return [...completed, ...added];
}

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { RewindControls, SessionControls, StoredSessions } from '@qwen/commands';
import { AgentError, type SessionRecord } from '@qwen/protocol';
import type { Configuration } from '../config/load-config.js';
import { createModelDirectory } from '../model-directory.js';
import { openStore } from '../session-store.js';
import type { CommandContext } from './command-context.js';

const MODELS_TIMEOUT_MS = 10_000;

export function sessionControls({ configuration, host }: CommandContext): SessionControls {
  const models = createModelDirectory(configuration);
  return {
    sessionId: host().sessionId,
    get model() {
      return host().model;
    },
    setModel: (model) => host().setModel(model),
    models: async () => {
      try {
        const listed = await models.list(AbortSignal.timeout(MODELS_TIMEOUT_MS), host().model);
        return { names: listed.map(({ id }) => id) };
      } catch (thrown) {
        return { names: [host().model], reason: AgentError.from(thrown).message };
      }
    },
    clear: async () => (await host().begunSession())?.clear(),
    compact: async () => (await host().begunSession())?.compact(),
    records: async () => (await host().begunSession())?.records() ?? [],
    restore: async (records) => (await host().session()).restore(records),
    contextUsage: () => host().contextUsage(),
    usage: () => host().usage(),
  };
}

export function rewindControls({ host }: CommandContext): RewindControls {
  return {
    prompts: () => host().pastPrompts(),
    preview: (messageId) => host().previewFiles(messageId),
    rewind: async (messageId, part) => {
      const files = part === 'conversation' ? undefined : await host().rewindFiles(messageId);
      return part === 'files' ? { files } : { files, prompt: await host().rewindConversation(messageId) };
    },
  };
}

export function checkpointFolder({ configDir, cwd }: Configuration): string {
  const name = createHash('sha256').update(cwd).digest('hex').slice(0, 16);
  return join(configDir, 'checkpoints', name);
}

export function storedSessions(configuration: Configuration): StoredSessions {
  return {
    list: async (limit) => {
      const { sessions } = await openStore(configuration).list({ cwd: configuration.cwd, limit });
      return sessions;
    },
    load: async (sessionId) => {
      const store = openStore(configuration);
      const records: SessionRecord[] = [];
      let cursor: string | undefined;
      do {
        const page = await store.messages(sessionId, cursor === undefined ? {} : { cursor });
        records.push(...page.messages.filter((record) => record.parent_tool_use_id === undefined));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return records;
    },
  };
}

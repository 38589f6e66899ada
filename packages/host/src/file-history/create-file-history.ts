import type { FileHistoryPort, SessionLog } from '@qwen/agent';
import type { FileHistory, FileHistoryOptions } from './file-history.js';

export interface LazyHistoryOptions extends Omit<FileHistoryOptions, 'messageIds'> {
  /** IDs of the messages of earlier runs, in order. */
  readonly messageIds: readonly string[];
}

export interface SessionFileHistory extends FileHistoryPort {
  /** Notes the user messages of a log: later changes belong to the last one. */
  following(log: SessionLog): SessionLog;
}

/** Loads with the first change: most turns only read. */
export function createFileHistory(options: LazyHistoryOptions): SessionFileHistory {
  const messageIds = [...options.messageIds];
  let loaded: Promise<FileHistory> | undefined;
  const load = (): Promise<FileHistory> => {
    loaded ??= import('./file-history.js').then((module) => new module.FileHistory({ ...options, messageIds }));
    return loaded;
  };
  return {
    following: (log) => ({
      append: (record) => {
        if (record.type === 'user' && record.parent_tool_use_id === undefined) messageIds.push(record.uuid);
        return log.append(record);
      },
      close: () => log.close(),
    }),
    beforeCall: async (facts) => {
      const mayChange = facts.shell !== undefined || facts.paths.some(({ access }) => access === 'write');
      if (!mayChange) return async () => {};
      return (await load()).beforeCall(facts);
    },
    preview: async (messageId) => (await load()).preview(messageId),
    restore: async (messageId) => (await load()).restore(messageId),
  };
}

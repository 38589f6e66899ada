export { nowMs } from './now-ms.js';
export {
  FolderInstructions,
  loadProjectInstructions,
  type ProjectInstructions,
} from './prompt/project-instructions.js';
export { isInside, realPathOf } from './real-path.js';
export {
  createFileStore,
  type FileStore,
  type FileStoreOptions,
} from './storage/file-store.js';
export { historyFolder } from './storage/history-files.js';
export { type FileLockOptions, withFileLock } from './storage/lock/file-lock.js';
export { isRunning, type ProcessIdentity } from './storage/lock/process-identity.js';
export type { MessagePage, MessageQuery, MessageRecord } from './storage/read-page.js';
export type { RecordSink } from './storage/read-records.js';
export { type ForkOptions, isSessionId, type NewSession, type OpenedSession } from './storage/session-files.js';
export type { SessionPage, SessionQuery } from './storage/session-list.js';
export type { SessionSummary } from './storage/session-summary.js';

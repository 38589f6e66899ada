export { loadProjectInstructions, type ProjectInstructions } from './prompt/project-instructions.js';
export { type FileLockOptions, withFileLock } from './session/file-lock.js';
export {
  createFileStore,
  type FileStore,
  type FileStoreOptions,
} from './session/file-store.js';
export type { NewSession, OpenedSession } from './session/opened-session.js';
export { isRunning, type ProcessIdentity } from './session/process-identity.js';
export type { MessagePage, MessageQuery, MessageRecord } from './session/read-page.js';
export type { RecordSink } from './session/read-records.js';
export type { SessionSummary } from './session/session-ends.js';
export type { ForkOptions } from './session/session-files.js';
export type { SessionPage, SessionQuery } from './session/session-list.js';

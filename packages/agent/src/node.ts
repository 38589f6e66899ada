export { loadProjectInstructions, type ProjectInstructions } from './prompt/project-instructions.js';
export {
  createFileStore,
  type FileStore,
  type FileStoreOptions,
  type NewSession,
  type OpenedSession,
} from './session/file-store.js';
export type { SessionSummary } from './session/session-list.js';

export { loadProjectInstructions, type ProjectInstructions } from './prompt/project-instructions.js';
export {
  createFileStore,
  type FileStore,
  type FileStoreOptions,
  type OpenedSession,
  type SessionSummary,
} from './session/file-store.js';

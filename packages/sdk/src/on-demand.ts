// In one chunk: each file costs 2 ms.
export { startSession } from './session/start-session.js';
export { SessionMirror } from './stores/session-mirror.js';
export { toProjectKey } from './stores/session-store.js';
export { callStore, DEFAULT_STORE_LIMIT_MS, StoreFolder } from './stores/store-folder.js';
export {
  deleteStoredSession,
  forkStoredSession,
  importSession,
  listStoredSessions,
  readStoredMessages,
  renameStoredSession,
} from './stores/stored-requests.js';
export { RemoteConnection } from './transport/http/remote-connection.js';

export { FileSessionStore, type FileSessionStoreOptions } from './file-session-store.js';
export { type RedisClient, RedisSessionStore, type RedisSessionStoreOptions } from './redis-session-store.js';
export type { SessionKey, SessionStore, SessionStoreEntry } from './session-store.js';
export { SqliteSessionStore, type SqliteSessionStoreOptions } from './sqlite-session-store.js';

export type { AgentLaunch } from './agent/agent-process.js';
export { createServer } from './app/create-server.js';
export type { Listening, ListenOptions, QwenServer } from './app/running-server.js';
export { ServerFile } from './app/server-file.js';
export type { ServerOptions } from './app/server-options.js';
export type { FileRules, FindFileRules } from './core/file-rules.js';
export type { ServerRole } from './core/open-turns.js';
export type { ServerCore } from './core/server-core.js';
export type { SessionRetention } from './core/session-retention.js';
export type {
  AddedDirectories,
  ApprovalTarget,
  ApprovalVerdict,
  InterruptResult,
  NewMessage,
  NewSession,
  SessionService,
  TurnStatus,
  TurnTicket,
} from './core/session-service.js';
export { type AccessToken, AccessTokens, type NewToken, type TokenLimits } from './guard/access-tokens.js';
export { readOrMintToken } from './guard/token-file.js';
export type { TlsFiles } from './http/tls-files.js';
export type { AppendOptions, AttachOptions, EventLog, EventLogOptions, ReadOptions } from './log/event-log.js';
export type { EventPage, Retention, SessionIdPage } from './log/event-store.js';
export type { LogItem, SubscriptionEnd } from './log/log-item.js';
export type { LogLimits } from './log/log-limits.js';
export type { LogSubscription } from './log/log-subscription.js';
export type { AppendReceipt, LoggedEvent, NewEvent } from './log/logged-event.js';
export { openEventLog } from './log/open-event-log.js';
export {
  createLogger,
  type LogFields,
  type LoggerOptions,
  type LogLevel,
  type ServerLogger,
} from './logging/server-logger.js';
export {
  type BackupManifest,
  backupStore,
  checkBackup,
  type Migration,
  migrateStore,
  restoreStore,
} from './maintenance/backup.js';
export { EventFramer, type EventProjection } from './sse/event-framer.js';
export type { EventStreamOptions } from './sse/event-stream.js';
export { eventStreamResponse } from './sse/event-stream-response.js';
export { parseLastEventId, toEventId } from './sse/last-event-id.js';
export type {
  HistoryItem,
  SessionRecord,
  ThreadRecord,
  TurnRecord,
  TurnState,
} from './store/session-record.js';

export type { AttachOptions, EventLog, EventLogOptions, ReadOptions } from './log/event-log.js';
export type { EventPage, Retention, SessionIdPage } from './log/event-store.js';
export type { LogItem, SubscriptionEnd } from './log/log-item.js';
export type { LogLimits } from './log/log-limits.js';
export type { LogSubscription } from './log/log-subscription.js';
export type { AppendReceipt, LoggedEvent, NewEvent } from './log/logged-event.js';
export { openEventLog } from './log/open-event-log.js';

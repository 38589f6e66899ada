import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { SessionRecord, ThreadRecord } from './session-record.js';

/** Also the id of the agent's session. */
export function newSessionId(): string {
  return randomUUID();
}

export function newTurnId(): string {
  return `turn_${randomBytes(16).toString('hex')}`;
}

/** Not guessable: it is enough to cancel the turn. */
export function newRequestId(nowMs: number): string {
  return `req_${nowMs}_${randomBytes(16).toString('hex')}`;
}

/** Not guessable: it is enough to approve a tool call. */
export function newApprovalId(): string {
  return `appr_${randomBytes(16).toString('hex')}`;
}

export function primaryThreadId(sessionId: string): string {
  return `thrd_${sessionId.replaceAll('-', '')}`;
}

export function primaryThreadOf({ id, createdAt }: Pick<SessionRecord, 'id' | 'createdAt'>): ThreadRecord {
  return { id: primaryThreadId(id), sessionId: id, parentToolUseId: null, turnId: null, createdAt };
}

/** Some providers repeat tool call ids. */
export function subagentThreadId(turnId: string, parentToolUseId: string): string {
  const digest = createHash('sha256').update(`${turnId} ${parentToolUseId}`).digest('hex');
  return `thrd_${digest.slice(0, 32)}`;
}

export function toMessageId(agentMessageId: string): string {
  return `asst_${agentMessageId.replaceAll('-', '')}`;
}

const CLOUD_SESSION_ID = /^sess_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/;

export function toCloudSessionId(sessionId: string): string {
  return `sess_${sessionId.replaceAll('-', '')}`;
}

/** Undefined for an invalid id. */
export function fromCloudSessionId(id: string): string | undefined {
  return CLOUD_SESSION_ID.exec(id)?.slice(1).join('-');
}

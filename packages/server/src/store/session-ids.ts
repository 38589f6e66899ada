import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A UUID v4, which the agent's own session has too. */
export function newSessionId(): string {
  return randomUUID();
}

export function newTurnId(): string {
  return `turn_${randomBytes(16).toString('hex')}`;
}

/** `req_` digits `_` letters and digits. Whoever knows it may cancel the turn, so it cannot be guessed. */
export function newRequestId(nowMs: number): string {
  return `req_${nowMs}_${randomBytes(16).toString('hex')}`;
}

/** The answer to a question is named by this; it cannot be guessed either (S79). */
export function newApprovalId(): string {
  return `appr_${randomBytes(16).toString('hex')}`;
}

/** The id of the thread that each session begins with. */
export function primaryThreadId(sessionId: string): string {
  return `thrd_${sessionId.replaceAll('-', '')}`;
}

/** The id of the thread of one subagent run. Some providers give call ids that are unique in one answer only. */
export function subagentThreadId(turnId: string, parentToolUseId: string): string {
  const digest = createHash('sha256').update(`${turnId} ${parentToolUseId}`).digest('hex');
  return `thrd_${digest.slice(0, 32)}`;
}

/** The id of an answer of the model as clients see it. */
export function toMessageId(agentMessageId: string): string {
  return `asst_${agentMessageId.replaceAll('-', '')}`;
}

const CLOUD_SESSION_ID = /^sess_([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/;

/** The id of a session as the surface of group R shows it (R-17, GAP-100). */
export function toCloudSessionId(sessionId: string): string {
  return `sess_${sessionId.replaceAll('-', '')}`;
}

/** The session that such an id means; undefined for what is none. */
export function fromCloudSessionId(id: string): string | undefined {
  return CLOUD_SESSION_ID.exec(id)?.slice(1).join('-');
}

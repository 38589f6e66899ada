import type { PublicEvent } from '@qwen/protocol/server';
import { type CallState, type Conversation, toCallKey } from './conversation.js';

type EventOf<Type extends string> = Extract<PublicEvent, { readonly type: Type }>;

export function setResult(conversation: Conversation, event: EventOf<'agent.tool_result'>): Conversation {
  const result = { content: event.content, isError: event.is_error };
  return updateCall(conversation, toCallKey(event.turn_id, event.tool_use_id), (call) => ({ ...call, result }));
}

export function takeApproval(conversation: Conversation, event: EventOf<'approval.requested'>): Conversation {
  const approval = {
    approvalId: event.approval_id,
    requestId: event.request_id,
    turnId: event.turn_id,
    toolUseId: event.tool_use_id,
    toolName: event.tool_name,
    input: event.input,
    reason: event.reason,
    blockedPath: event.blocked_path,
    suggestions: event.suggestions ?? [],
    expiresAt: event.expires_at,
  };
  return updateCall(conversation, toCallKey(event.turn_id, event.tool_use_id), (call) => ({ ...call, approval }));
}

export function settleApproval(conversation: Conversation, event: EventOf<'approval.settled'>): Conversation {
  const verdict = { behavior: event.behavior, by: event.by, message: event.message };
  return updateCall(conversation, toCallKey(event.turn_id, event.tool_use_id), (call) =>
    call.approval?.approvalId === event.approval_id ? { ...call, approval: { ...call.approval, verdict } } : call,
  );
}

export function withdrawApprovals(conversation: Conversation, requestId: string): Conversation {
  const verdict = { behavior: 'deny', by: 'withdrawn', message: undefined } as const;
  const calls = new Map(conversation.calls);
  let isChanged = false;
  for (const [key, call] of calls) {
    if (call.approval?.requestId !== requestId || call.approval.verdict !== undefined) continue;
    calls.set(key, { ...call, approval: { ...call.approval, verdict } });
    isChanged = true;
  }
  return isChanged ? { ...conversation, calls } : conversation;
}

function updateCall(conversation: Conversation, key: string, change: (call: CallState) => CallState): Conversation {
  const call = conversation.calls.get(key) ?? {};
  return { ...conversation, calls: new Map(conversation.calls).set(key, change(call)) };
}

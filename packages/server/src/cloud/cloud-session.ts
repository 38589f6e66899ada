import { defined } from '@qwen/protocol';
import type { CloudRequest, CloudSession, CloudThread } from '@qwen/protocol/server';
import type { NewSession } from '../core/session-service.js';
import { toCloudSessionId } from '../store/session-ids.js';
import { type JsonMembers, type SessionRecord, sandboxOf, type ThreadRecord } from '../store/session-record.js';

/** The only agent and environment of this server. */
const DEFAULT_ID = 'default';
const DEFAULT_VERSION = 1;

export function toNewSession(request: CloudRequest<'POST /sessions'>): NewSession {
  const { agent = DEFAULT_ID, environment_id = DEFAULT_ID, title = null, metadata } = request;
  const { id, version = DEFAULT_VERSION } = typeof agent === 'string' ? { id: agent } : agent;
  return {
    workspaceRoot: request.workspace_root,
    model: request.model,
    approvalMode: request.approval_mode,
    hasIncrements: request.incremental_streaming_enabled ?? false,
    metadata,
    sandbox: request.sandbox,
    questionPolicy: request.question_policy,
    allowedTools: request.allowed_tools,
    isShared: request.shared,
    details: { agent_id: id, agent_version: version, environment_id, title },
  };
}

/** Sessions of other APIs have the default agent. */
export function toCloudSession(session: SessionRecord, status: CloudSession['status']): CloudSession {
  const { id, details, metadata, hasIncrements, workspaceRoot, createdAt, lastActivityAt } = session;
  const version = details['agent_version'];
  return {
    type: 'session',
    id: toCloudSessionId(id),
    status,
    incremental_streaming_enabled: hasIncrements,
    agent: {
      id: textOf(details, 'agent_id') ?? DEFAULT_ID,
      type: 'agent',
      version: typeof version === 'number' ? version : DEFAULT_VERSION,
    },
    environment_id: textOf(details, 'environment_id') ?? DEFAULT_ID,
    title: session.title ?? textOf(details, 'title') ?? null,
    metadata: { ...metadata },
    workspace_root: workspaceRoot,
    ...defined({ sandbox: sandboxOf(session) }),
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(lastActivityAt).toISOString(),
  };
}

export function toCloudThread({ id, sessionId, parentToolUseId, turnId, createdAt }: ThreadRecord): CloudThread {
  return {
    type: 'session_thread',
    id,
    session_id: toCloudSessionId(sessionId),
    parent_tool_use_id: parentToolUseId,
    turn_id: turnId,
    created_at: new Date(createdAt).toISOString(),
  };
}

function textOf(members: JsonMembers, name: string): string | undefined {
  const value = members[name];
  return typeof value === 'string' ? value : undefined;
}

import {
  contentBlockSchema,
  EFFORTS,
  permissionModeSchema,
  sandboxOptionSchema,
  sandboxStateSchema,
} from '@qwen/protocol';
import { questionPolicySchema } from '@qwen/protocol/server';
import * as z from 'zod/mini';

// Records may be damaged or of another version.

const members = z.record(z.string(), z.unknown());

export const sessionSchema = z.object({
  id: z.string(),
  createdAt: z.number(),
  lastActivityAt: z.number(),
  workspaceRoot: z.string(),
  directories: z.array(z.string()),
  model: z.optional(z.string()),
  approvalMode: permissionModeSchema,
  sandbox: z.optional(sandboxOptionSchema),
  sandboxState: z.optional(sandboxStateSchema),
  hasIncrements: z.boolean(),
  metadata: members,
  details: members,
  isResumable: z.boolean(),
  owner: z.optional(z.string()),
  isShared: z.optional(z.boolean()),
  questionPolicy: z.optional(questionPolicySchema),
  allowedTools: z.optional(z.array(z.string())),
  effort: z.optional(z.enum(EFFORTS)),
  title: z.optional(z.string()),
  isArchived: z.optional(z.boolean()),
  shareLinks: z.optional(z.array(z.object({ id: z.string(), createdAt: z.number(), expiresAt: z.number() }))),
  waitingTurnId: z.optional(z.string()),
});

export const threadSchema = z.object({
  id: z.string(),
  sessionId: z.string(),
  parentToolUseId: z.nullable(z.string()),
  turnId: z.nullable(z.string()),
  createdAt: z.number(),
});

export const contentSchema = z.array(contentBlockSchema);

export const turnStateSchema = z.enum(['queued', 'running', 'success', 'cancelled', 'error', 'interrupted']);

export const newEventsSchema = z.array(
  z.object({
    type: z.string(),
    data: z.string(),
    eventId: z.optional(z.string()),
    threadId: z.optional(z.string()),
  }),
);

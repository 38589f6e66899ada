import * as z from 'zod/mini';
import { capabilitiesSchema } from './capabilities.js';
import { hooksSchema } from './hook-registration.js';
import type { JsonObject } from './json-object.js';
import { jsonRpcMessageSchema } from './json-rpc.js';
import { lazySchema } from './lazy-schema.js';
import { permissionModeSchema } from './modes.js';
import { nullish } from './nullish.js';
import { readFlatToolQuestion, readVerdictWords } from './older-forms.js';
import { openObject } from './open-object.js';
import {
  agentConfigSchema,
  cliMcpServerConfigSchema,
  sdkMcpServerConfigSchema,
  type Timeouts,
  timeoutsSchema,
} from './options.js';
import { permissionSuggestionSchema } from './permission-suggestion.js';

/** The app is whoever drives the agent (an SDK); the agent is the CLI. */
export type Side = 'app' | 'agent';

/** The other one. */
export type OtherSide<S extends Side> = S extends 'app' ? 'agent' : 'app';

/** One row of the table. */
export interface ControlRequestSpec {
  /** The side that sends this request; the other side must have a handler for it. */
  readonly asker: Side;
  readonly payload: z.ZodMiniType;
  readonly result: z.ZodMiniType;
  /** Which of the timeouts the asker waits. */
  readonly deadline: keyof Timeouts;
  /** One sentence for the docs and the JSON Schema. */
  readonly meaning: string;
  /** Turns spellings that are read but never written into the ones of the schema. */
  readonly fromOlderPayload?: (payload: JsonObject, requestId: string) => JsonObject;
  readonly fromOlderResult?: (result: JsonObject) => JsonObject;
}

const none = openObject({});

/**
 * THE table of control requests (M-01 … M-69). From one entry come the types at both ends, the exhaustive handler
 * maps, the JSON Schema and the docs. Adding a request: add a row, then the compiler names the two ends to change.
 */
export const CONTROL_REQUESTS = {
  initialize: {
    asker: 'app',
    deadline: 'initialize',
    meaning:
      'Sets the session up: hooks, MCP servers on both sides, subagents, prompts and the deadlines the agent keeps.',
    payload: lazySchema(() =>
      openObject({
        hooks: nullish(hooksSchema),
        /** A map in 003 and qwen-code; claude-agent-sdk sends a list of names. */
        sdkMcpServers: nullish(z.union([z.record(z.string(), sdkMcpServerConfigSchema), z.array(z.string())])),
        mcpServers: nullish(z.record(z.string(), cliMcpServerConfigSchema)),
        agents: nullish(z.union([z.array(agentConfigSchema), z.record(z.string(), z.looseObject({}))])),
        timeout: nullish(timeoutsSchema),
        protocol_version: z.optional(z.number()),
        /** Replaces the built-in system prompt. */
        systemPrompt: nullish(z.string()),
        appendSystemPrompt: nullish(z.string()),
        /** Whether somebody answers `can_use_tool`; missing means yes. */
        canUseTool: z.optional(z.boolean()),
      }),
    ),
    result: lazySchema(() =>
      openObject({
        subtype: z.optional(z.literal('initialize')),
        session_id: z.optional(z.string()),
        protocol_version: z.optional(z.number()),
        /** Names of slash commands, without the slash (CF-40). */
        commands: z.optional(z.array(z.string())),
        /** Always `stream-json` (CF-41); the true format is `output_format`. */
        output_style: z.optional(z.string()),
        output_format: z.optional(z.string()),
        /** Optional one by one, and open: other agents of this family fill in other members (FEATURES D3). */
        capabilities: z.optional(z.looseObject(z.partial(capabilitiesSchema).shape)),
        model: z.optional(z.string()),
        permissionMode: z.optional(z.string()),
        agents: z.optional(z.array(z.string())),
      }),
    ),
  },
  interrupt: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Stops the running turn. Success with null also when nothing runs (GAP-46).',
    payload: none,
    result: z.unknown(),
  },
  set_model: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Switches the model from the next model call on; null means the default model (CF-43).',
    payload: lazySchema(() => openObject({ model: nullish(z.string()) })),
    result: lazySchema(() =>
      nullish(openObject({ subtype: z.optional(z.literal('set_model')), model: z.optional(z.string()) })),
    ),
  },
  set_permission_mode: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Switches the permission mode from the next decision on.',
    payload: lazySchema(() => openObject({ mode: permissionModeSchema })),
    result: lazySchema(() =>
      nullish(openObject({ status: z.optional(z.literal('updated')), mode: z.optional(z.string()) })),
    ),
  },
  supported_commands: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Lists the slash commands, read afresh.',
    payload: none,
    result: lazySchema(() => openObject({ commands: z.array(z.string()) })),
  },
  mcp_server_status: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Tells the live connection state of each MCP server: connected, connecting or disconnected (GAP-44).',
    payload: none,
    result: lazySchema(() =>
      openObject({
        subtype: z.optional(z.literal('mcp_server_status')),
        status: z.optional(z.record(z.string(), z.unknown())),
        servers: z.optional(z.record(z.string(), z.unknown())),
        /** Why a server is disconnected. */
        errors: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  },
  set_output_flow: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Pauses or resumes everything but control lines, so that a slow consumer slows the model instead of filling memory.',
    payload: lazySchema(() => openObject({ paused: z.boolean() })),
    result: lazySchema(() => openObject({ paused: z.boolean() })),
  },
  mcp_notification: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Carries one JSON-RPC notification (progress, log, changed lists) from an MCP server that lives in the app to its client in the agent.',
    payload: lazySchema(() => openObject({ server_name: z.string(), message: jsonRpcMessageSchema })),
    result: lazySchema(() => nullish(none)),
  },
  can_use_tool: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning: 'Asks whether a tool may run. No answer, a malformed one or an error means no (M-50).',
    fromOlderPayload: readFlatToolQuestion,
    fromOlderResult: readVerdictWords,
    payload: lazySchema(() =>
      openObject({
        tool_name: z.string(),
        tool_use_id: z.string(),
        input: z.unknown(),
        permission_suggestions: nullish(z.array(permissionSuggestionSchema)),
        /** The path outside of the workspace that made the agent ask. */
        blocked_path: nullish(z.string()),
        /** Why the agent asks, for people. */
        reason: z.optional(z.string()),
      }),
    ),
    result: lazySchema(() =>
      z.discriminatedUnion('behavior', [
        openObject({
          subtype: z.optional(z.literal('can_use_tool')),
          behavior: z.literal('allow'),
          updatedInput: nullish(z.record(z.string(), z.unknown())),
          message: nullish(z.string()),
        }),
        openObject({
          subtype: z.optional(z.literal('can_use_tool')),
          behavior: z.literal('deny'),
          message: nullish(z.string()),
          /** Also stop the turn (M-43). */
          interrupt: nullish(z.boolean()),
        }),
      ]),
    ),
  },
  hook_callback: {
    asker: 'agent',
    deadline: 'controlRequest',
    meaning: 'Runs a hook that the app registered with `initialize`.',
    payload: lazySchema(() =>
      openObject({ callback_id: z.string(), input: z.unknown(), tool_use_id: nullish(z.string()) }),
    ),
    result: z.looseObject({}),
  },
  mcp_message: {
    asker: 'agent',
    deadline: 'mcpRequest',
    meaning: 'Carries one JSON-RPC message to an MCP server that lives in the app, and the answer back.',
    payload: lazySchema(() => openObject({ server_name: z.string(), message: jsonRpcMessageSchema })),
    result: lazySchema(() => openObject({ error: nullish(z.string()), mcp_response: nullish(jsonRpcMessageSchema) })),
  },
} as const satisfies Record<string, ControlRequestSpec>;

type Table = typeof CONTROL_REQUESTS;

/** The word on the wire that names a request. */
export type ControlSubtype = keyof Table;

/** The requests that `Asker` sends, and so the other side serves. */
export type SubtypeAskedBy<Asker extends Side> = {
  [S in ControlSubtype]: Table[S]['asker'] extends Asker ? S : never;
}[ControlSubtype];

export type ControlPayload<S extends ControlSubtype> = z.infer<Table[S]['payload']>;
export type ControlResult<S extends ControlSubtype> = z.infer<Table[S]['result']>;

/** The row of a word from the wire, if there is one. */
export function findControlRequest(word: string): ControlRequestSpec | undefined {
  return isControlSubtype(word) ? CONTROL_REQUESTS[word] : undefined;
}

/** True for a word of the table. */
export function isControlSubtype(word: string): word is ControlSubtype {
  return Object.hasOwn(CONTROL_REQUESTS, word);
}

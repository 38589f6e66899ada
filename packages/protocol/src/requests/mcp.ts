import * as z from 'zod/mini';
import { jsonRpcMessageSchema } from '../json-rpc.js';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { openObject } from '../open-object.js';
import { cliMcpServerConfigSchema, sdkMcpServerConfigSchema } from '../options.js';
import type { ControlRequestSpec } from './request-spec.js';

const formValueSchema = lazySchema(() => z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]));

const none = openObject({});

/** Requests about MCP servers, in both directions. */
export const MCP_REQUESTS = {
  mcp_server_status: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the current state of each MCP server: connected, connecting or disconnected.',
    payload: none,
    result: lazySchema(() =>
      openObject({
        subtype: z.optional(z.literal('mcp_server_status')),
        status: z.optional(z.record(z.string(), z.unknown())),
        servers: z.optional(z.record(z.string(), z.unknown())),
        /** Why servers are disconnected. */
        errors: z.optional(z.record(z.string(), z.string())),
      }),
    ),
  },
  mcp_status: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning: 'Returns the same as a list in the format of the Claude Agent SDK, with the prompts of each server.',
    payload: lazySchema(() =>
      openObject({
        /** Answers only when no server is connecting. Default false. */
        wait: z.optional(z.boolean()),
      }),
    ),
    result: lazySchema(() =>
      openObject({
        mcpServers: z.array(
          openObject({
            name: z.string(),
            status: z.string(),
            error: z.optional(z.string()),
            prompts: z.optional(z.array(openObject({ name: z.string(), description: z.string() }))),
          }),
        ),
      }),
    ),
  },
  mcp_reconnect: {
    asker: 'app',
    deadline: 'mcpRequest',
    meaning: 'Closes the connection to an MCP server and opens a new one.',
    payload: lazySchema(() => openObject({ serverName: z.string() })),
    result: lazySchema(() => nullish(none)),
  },
  mcp_toggle: {
    asker: 'app',
    deadline: 'mcpRequest',
    meaning: 'Disables or enables an MCP server for this session.',
    payload: lazySchema(() => openObject({ serverName: z.string(), enabled: z.boolean() })),
    result: lazySchema(() => nullish(none)),
  },
  mcp_set_servers: {
    asker: 'app',
    deadline: 'mcpRequest',
    meaning:
      'Replaces the MCP servers in the app and those of earlier requests, starting with the next model call. Answers when the new servers are connected or have failed.',
    payload: lazySchema(() =>
      openObject({ servers: z.record(z.string(), z.union([sdkMcpServerConfigSchema, cliMcpServerConfigSchema])) }),
    ),
    result: lazySchema(() =>
      openObject({
        /** A server whose definition changed is in both lists. */
        added: z.array(z.string()),
        removed: z.array(z.string()),
        /** By name: why a server is not connected. */
        errors: z.record(z.string(), z.string()),
      }),
    ),
  },
  mcp_notification: {
    asker: 'app',
    deadline: 'controlRequest',
    meaning:
      'Delivers one JSON-RPC notification (progress, log, changed lists) from an MCP server in the app to its client in the agent.',
    payload: lazySchema(() => openObject({ server_name: z.string(), message: jsonRpcMessageSchema })),
    result: lazySchema(() => nullish(none)),
  },
  mcp_message: {
    asker: 'agent',
    deadline: 'mcpRequest',
    meaning: 'Delivers one JSON-RPC message to an MCP server in the app and returns its answer.',
    payload: lazySchema(() => openObject({ server_name: z.string(), message: jsonRpcMessageSchema })),
    result: lazySchema(() => openObject({ error: nullish(z.string()), mcp_response: nullish(jsonRpcMessageSchema) })),
  },
  elicitation: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning:
      'Asks the user to fill in a form for an MCP server, or to open a web page. Sent only if `initialize` set `elicitation`. A missing or malformed answer means `decline`.',
    payload: lazySchema(() =>
      openObject({
        server_name: z.string(),
        message: z.string(),
        /** Default `form`. */
        mode: z.optional(z.enum(['form', 'url'])),
        /** With mode `url`: the page, http or https. The server learns only whether the user agreed. */
        url: z.optional(z.string()),
        /** JSON Schema of an object of strings, numbers, booleans or choices; with mode `url`, empty. */
        requested_schema: z.record(z.string(), z.unknown()),
      }),
    ),
    result: lazySchema(() =>
      openObject({
        action: z.enum(['accept', 'decline', 'cancel']),
        /** With `accept`. Missing members get the schema's default. */
        content: z.optional(z.record(z.string(), formValueSchema)),
      }),
    ),
  },
} as const satisfies Record<string, ControlRequestSpec>;

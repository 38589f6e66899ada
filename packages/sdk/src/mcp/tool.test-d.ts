// Checked by the compiler, never run: what a handler gets, from each kind of schema.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { expectTypeOf } from 'vitest';
import * as z4 from 'zod';
import * as mini from 'zod/mini';
import * as z3 from 'zod3';
import type { McpServerConfig } from '../options/options.js';
import { createSdkMcpServer } from './create-sdk-mcp-server.js';
import { type CallToolResult, tool } from './tool.js';

type Wanted = { path: string; limit?: number | undefined; mode: 'a' | 'b' };

const result: CallToolResult = { content: [{ type: 'text', text: '' }] };

const shape3 = { path: z3.string(), limit: z3.number().optional(), mode: z3.enum(['a', 'b']).default('a') };
const shape4 = { path: z4.string(), limit: z4.number().optional(), mode: z4.enum(['a', 'b']).default('a') };
const shapeMini = {
  path: mini.string(),
  limit: mini.optional(mini.number()),
  mode: mini._default(mini.enum(['a', 'b']), 'a'),
};

const fromShape3 = tool('t', '', shape3, (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromShape4 = tool('t', '', shape4, (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromShapeMini = tool('t', '', shapeMini, (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromObject3 = tool('t', '', z3.object(shape3), (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromObject4 = tool('t', '', z4.object(shape4), async (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromMini = tool('t', '', mini.object(shapeMini), (args) => {
  expectTypeOf(args).toEqualTypeOf<Wanted>();
  return result;
});
const fromJsonSchema = tool(
  't',
  '',
  { type: 'object', properties: { path: { type: 'string' } } },
  (args, { signal }) => {
    expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
    expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
    return result;
  },
);
const fromNothing = tool('t', '', {}, (args) => {
  expectTypeOf(args).toEqualTypeOf<{}>();
  return result;
});

// @ts-expect-error -- a handler must answer with content
tool('t', '', shape4, () => ({ text: 'x' }));
// @ts-expect-error -- a schema is not a string
tool('t', '', 'string', () => result);
// @ts-expect-error -- what the schema does not have cannot be read
tool('t', '', shape4, ({ missing }) => missing);

// Tools of different inputs make one server, and a server of the MCP library fits as it is.
const tools = [fromShape3, fromShape4, fromShapeMini, fromObject3, fromObject4, fromMini, fromJsonSchema, fromNothing];
const servers: Record<string, McpServerConfig> = {
  ours: createSdkMcpServer({ name: 'ours', tools }),
  theirs: { type: 'sdk', name: 'theirs', instance: new McpServer({ name: 'theirs', version: '1' }) },
  files: { command: 'npx', args: ['files'] },
};
expectTypeOf(servers).toExtend<Record<string, McpServerConfig>>();

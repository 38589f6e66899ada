import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { type ChatRoute, NO_SESSION, nonEmptyText, sessionIdField } from './chat-api-fields.js';

export const COMMAND_KINDS = ['file', 'mcp-prompt', 'built-in'] as const;

const success = z.literal(true);
const NO_COMMAND = `The session or the command does not exist. For a command, \`success\` is false.`;

const commandSchema = lazySchema(() =>
  z.object({
    name: z.string().check(z.describe('Without the slash.')),
    description: z.string(),
    kind: z.enum(COMMAND_KINDS),
    extensionName: z.optional(z.string()),
  }),
);

const reload = z.optional(
  z
    .boolean()
    .check(
      z.describe('Requests the prompts of the MCP servers again; command files are always read again. Default false.'),
    ),
);
const includeBuiltins = z.optional(z.boolean().check(z.describe('Default false.')));
const total = z.int();

export const COMMAND_ROUTES = {
  '/api/commands/list': {
    scope: 'read',
    meaning: 'Lists the commands of a session: command files and the prompts of its MCP servers.',
    request: lazySchema(() => z.object({ sessionId: sessionIdField, reload, includeBuiltins })),
    response: lazySchema(() =>
      z.object({
        success,
        commands: z.array(commandSchema),
        total,
        errors: z.optional(
          z
            .array(z.object({ file: z.string(), message: z.string() }))
            .check(z.describe('Invalid command files; missing if there are none.')),
        ),
      }),
    ),
    failures: { 404: NO_SESSION },
  },
  '/api/commands/execute': {
    scope: 'write',
    meaning: 'Runs a command as one turn of the session and returns its final text.',
    request: lazySchema(() =>
      z.object({
        sessionId: sessionIdField,
        command: nonEmptyText('With or without the slash.'),
        args: z.optional(z.string()),
        submit: z.optional(z.boolean().check(z.describe('If false, only builds the prompt. Default true.'))),
      }),
    ),
    response: lazySchema(() =>
      z.object({
        success,
        command: z.string(),
        output: z.string().check(z.describe("The model's answer; with `submit: false`, the prompt.")),
        prompt: z.optional(z.string().check(z.describe('The prompt sent to the model, if the server built it.'))),
        warnings: z.optional(z.array(z.string())),
      }),
    ),
    failures: {
      404: NO_COMMAND,
      409: 'A turn of the session is running.',
      499: 'The turn was cancelled.',
      502: 'The agent or the model failed.',
    },
  },
  '/api/commands/help': {
    scope: 'read',
    meaning: 'Describes one command, or all of them.',
    request: lazySchema(() =>
      z.object({ sessionId: sessionIdField, command: z.optional(nonEmptyText('With or without the slash.')), reload }),
    ),
    response: lazySchema(() =>
      z.union([
        z.object({ success, command: commandSchema }),
        z.object({
          success,
          commands: z.array(z.object({ name: z.string(), description: z.string() })),
          total,
        }),
      ]),
    ),
    failures: { 404: NO_COMMAND },
  },
} as const satisfies Record<string, ChatRoute>;

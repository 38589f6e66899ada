import type { Client } from '@modelcontextprotocol/client';
import { AgentError, type ContentBlock } from '@qwen/protocol';
import * as z from 'zod/mini';
import { askServer } from './ask-server.js';
import { toPlainText } from './plain-text.js';
import { readPages } from './read-pages.js';
import { toToolResult } from './result-content.js';
import { toToolNames } from './tool-name.js';

const MAX_DESCRIPTION_LENGTH = 1024;

const promptSchema = z.looseObject({
  name: z.string().check(z.minLength(1)),
  description: z.optional(z.string()),
  arguments: z.optional(
    z.array(
      z.looseObject({
        name: z.string(),
        description: z.optional(z.string()),
        required: z.optional(z.boolean()),
      }),
    ),
  ),
});

const filledSchema = z.looseObject({
  messages: z.array(z.looseObject({ role: z.string(), content: z.looseObject({ type: z.string() }) })),
});

export interface McpPrompt {
  /** As the server calls it. */
  readonly name: string;
  /** Its slash command without the slash: `mcp__<server>__<prompt>`. */
  readonly commandName: string;
  readonly description: string;
  readonly parameters: readonly { readonly name: string; readonly required: boolean }[];
}

export type PromptMessages = string | readonly ContentBlock[];

export interface ListPromptsOptions {
  readonly serverName: string;
  readonly timeoutMs: number;
}

/** Skips invalid prompts. */
export async function listPrompts(client: Client, options: ListPromptsOptions): Promise<McpPrompt[]> {
  const { serverName, timeoutMs } = options;
  const { entries } = await readPages(client, { method: 'prompts/list', timeoutMs });
  const prompts = entries.flatMap((entry) => z.safeParse(promptSchema, entry).data ?? []);
  const names = toToolNames(
    serverName,
    prompts.map(({ name }) => name),
  );
  return prompts.map(({ name, description = '', arguments: parameters = [] }, index) => ({
    name,
    commandName: names[index] ?? name,
    description: toPlainText(description, MAX_DESCRIPTION_LENGTH),
    parameters: parameters.map((one) => ({ name: one.name, required: one.required === true })),
  }));
}

export interface FillPromptOptions {
  readonly prompt: McpPrompt;
  readonly values: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** All messages become one user message; those of the assistant are marked. */
export async function fillPrompt(client: Client, options: FillPromptOptions): Promise<PromptMessages> {
  const { prompt, values, timeoutMs } = options;
  const missing = prompt.parameters.filter(({ name, required }) => required && values[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    throw new AgentError('invalid_tool_input', `The prompt ${prompt.name} needs ${names}.`);
  }
  const params = { name: prompt.name, arguments: { ...values } };
  const question = { method: 'prompts/get', params, schema: filledSchema, timeout: timeoutMs };
  const { messages } = await askServer(client, question);
  const content = messages.flatMap(({ role, content: block }) =>
    role === 'assistant' ? [{ type: 'text', text: '[assistant]' }, block] : [block],
  );
  return toToolResult({ content, isError: false }).content;
}

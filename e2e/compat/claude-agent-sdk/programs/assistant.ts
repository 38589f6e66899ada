// An assistant with tools of the app, subagents, a preset prompt and an answer of a given form.
import {
  type AgentDefinition,
  createSdkMcpServer,
  type McpServerConfig,
  type ModelUsage,
  type Options,
  query,
  type SDKAssistantMessage,
  tool,
} from '@qwen/sdk';
import { z } from 'zod';

const MAILS = [
  { from: 'ann@example.org', subject: 'Invoice 12' },
  { from: 'bob@example.org', subject: 'Lunch?' },
];

const search = tool(
  'search_inbox',
  'Searches the inbox.',
  { query: z.string().describe('Words of the subject'), limit: z.number().optional() },
  async (args) => {
    const found = MAILS.filter(({ subject }) => subject.toLowerCase().includes(args.query.toLowerCase()));
    return { content: [{ type: 'text' as const, text: JSON.stringify(found.slice(0, args.limit ?? 10)) }] };
  },
  { annotations: { readOnlyHint: true } },
);

const agents: Record<string, AgentDefinition> = {
  triage: {
    description: 'Sorts mails.',
    prompt: 'You sort mails by urgency.',
    tools: ['Read', 'Grep', 'mcp__email__search_inbox'],
    model: 'sonnet',
    maxTurns: 3,
  },
};

export interface Answer {
  readonly tools: string[];
  readonly text: string;
  readonly structured: unknown;
  readonly usage: Record<string, ModelUsage>;
  readonly cost: string;
}

/** Asks once; the answer matches the schema. */
export async function ask(prompt: string, options: Partial<Options>): Promise<Answer> {
  const server = createSdkMcpServer({ name: 'email', version: '1.0.0', tools: [search] });
  const mcpServers: Record<string, McpServerConfig> = { email: server };
  const schema = { type: 'object', properties: { subject: { type: 'string' } }, required: ['subject'] };
  const used: string[] = [];
  const texts: string[] = [];
  const collect = (message: SDKAssistantMessage): void => {
    for (const block of message.message.content) {
      if (block.type === 'tool_use') used.push(block.name);
      else if (block.type === 'text') texts.push(block.text);
    }
  };
  const defaults: Options = {
    systemPrompt: { type: 'preset', preset: 'claude_code', append: 'You manage mails.' },
    mcpServers,
    agents,
    allowedTools: ['mcp__email__search_inbox', 'Task', 'TodoWrite'],
    outputFormat: { type: 'json_schema', schema },
    thinking: { type: 'enabled', budgetTokens: 2000 },
    fallbackModel: 'another-model',
    maxBudgetUsd: 1,
    stderr: () => undefined,
    env: { ...process.env },
  };
  for await (const message of query({ prompt, options: { ...defaults, ...options } })) {
    switch (message.type) {
      case 'assistant':
        collect(message);
        break;
      case 'result': {
        const structured = message.subtype === 'success' ? message.structured_output : undefined;
        const cost = message.total_cost_usd?.toFixed(4) ?? 'unknown';
        return { tools: used, text: texts.join('\n'), structured, usage: message.modelUsage ?? {}, cost };
      }
      default:
    }
  }
  throw new Error('There was no result.');
}

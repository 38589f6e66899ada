import { type AgentSessionOptions, createTaskTool } from '@qwen/agent';
import type { ModelRequest } from '@qwen/models';
import type { AgentConfig } from '@qwen/protocol';
import { call, createTestSession, type ScriptedAnswer, type TestSession } from './scripted-engine.js';

/** The first messages that the model received. */
const promptOf = ({ messages: [first] }: ModelRequest): string => {
  const [part] = first?.role === 'user' ? first.content : [];
  return part?.type === 'text' ? part.text : '';
};

/** Answers by what the conversation began with, each in order: the agent and its subagents share one model. */
function byPrompt(scripts: Readonly<Record<string, readonly ScriptedAnswer[]>>): ScriptedAnswer[] {
  const summary = new Map<string, number>();
  return [
    async function* runToEnd(request, signal) {
      const prompt = promptOf(request);
      const count = summary.get(prompt) ?? 0;
      summary.set(prompt, count + 1);
      const answers = scripts[prompt] ?? scripts['*'] ?? [];
      const answer = answers[Math.min(count, answers.length - 1)] ?? [];
      if (typeof answer === 'function') yield* answer(request, signal);
      else yield* answer;
    },
  ];
}

/** A call that hands a task to a subagent. */
export const task = (id: string, prompt: string, subagent = 'helper') =>
  call(id, 'task', { description: 'some work', prompt, subagent_type: subagent });

export const HELPER: AgentConfig = { name: 'helper', description: 'Helps.', systemPrompt: 'You help.' };

/** What the model says to each prompt, in order; `*` is every other prompt. */
export type Scripts = Readonly<Record<string, readonly ScriptedAnswer[]>>;

/** A session whose model can hand work to subagents; {@link HELPER} unless others are given. */
export function createAgentSession(scripts: Scripts, options: Partial<AgentSessionOptions> = {}): TestSession {
  const { agents = () => [HELPER], tools = [] } = options;
  return createTestSession(byPrompt(scripts), { ...options, agents, tools: [...tools, createTaskTool(agents)] });
}

/** Requests of the conversation that began with this prompt. */
export const requestsOf = (requests: readonly ModelRequest[], prompt: string) =>
  requests.filter((request) => promptOf(request) === prompt);

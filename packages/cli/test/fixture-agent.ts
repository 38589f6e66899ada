import type { FileRewind } from '@qwen/agent';
import type { AgentControls, AgentDirectory } from '@qwen/host/agent-controls.js';
import { AgentError } from '@qwen/protocol';

const REWIND: FileRewind = {
  files: [
    { path: '/work/a.txt', action: 'restore', changedSince: true, copy: '/copies/1' },
    { path: '/work/b.txt', action: 'delete', refused: 'It is a link now.' },
  ],
  insertions: 2,
  deletions: 1,
};

/** Records its calls. The model `broken` and the schema `not a schema` are refused. */
export function createFixtureAgent(happenings: string[]): AgentControls {
  let model = 'first';
  let permissionMode: AgentControls['permissionMode'] = 'default';
  let isInterrupted = false;
  return {
    sessionId: '6b0d34d6-5c1f-4a52-8b0f-6b1c1f6c0a11',
    get model() {
      return model;
    },
    get permissionMode() {
      return permissionMode;
    },
    get isInterrupted() {
      return isInterrupted;
    },
    toolNames: ['read_file', 'edit'],
    interrupt: () => {
      happenings.push('interrupt');
      isInterrupted = true;
      return true;
    },
    close: async (reason) => {
      happenings.push(`close ${reason}`);
    },
    resetInterrupt: () => {
      isInterrupted = false;
    },
    setModel: async (name) => {
      if (name === 'broken') throw new AgentError('model_not_found', 'no such model');
      model = name ?? 'first';
      return model;
    },
    setPermissionMode: (mode) => {
      permissionMode = mode;
      happenings.push(`mode ${mode}`);
    },
    setOverrides: (overrides) => {
      happenings.push(`overrides ${JSON.stringify(overrides)}`);
      return true;
    },
    setOutputSchema: async (schema) => {
      if (schema['type'] === 'not a schema') throw new AgentError('invalid_payload', 'outputSchema: /type is wrong');
      happenings.push('output schema');
    },
    explainCall: async ({ name }) => ({
      behavior: 'ask',
      decidedBy: 'ask_rule',
      rule: 'Edit',
      reason: `The rule Edit asks before ${name}.`,
      blockedPath: null,
      shadowed: [{ rule: 'Edit(/src/**)', behavior: 'allow', certainty: 'match' }],
      parts: [],
    }),
    previewFiles: async (messageId) => {
      if (messageId === 'unknown') throw new AgentError('message_not_found', 'no such message');
      return messageId === 'unkept' ? undefined : REWIND;
    },
    rewindFiles: async (messageId) => {
      happenings.push(`rewind ${messageId}`);
      return REWIND;
    },
    rewindConversation: async (messageId) => {
      happenings.push(`rewind conversation ${messageId}`);
      return 'the prompt';
    },
    setEffort: (effort) => void happenings.push(`effort ${effort}`),
    continueLastTurn: async () => ({ refused: 'This session has no messages yet.' }),
    steer: async () => false,
    background: undefined,
    rename: async (title) => {
      happenings.push(`title ${title}`);
      return true;
    },
    contextUsage: async () => ({
      totalTokens: 30,
      windowTokens: 120,
      isEstimated: true,
      parts: [
        { name: 'system prompt', tokens: 10 },
        { name: 'messages', tokens: 20 },
      ],
    }),
    usage: async () => ({
      models: new Map([['first', { calls: 2, inputTokens: 10, outputTokens: 3, cachedTokens: 0, reasoningTokens: 0 }]]),
      turns: 1,
    }),
  };
}

/** One session in the process. */
export function onlyAgent(agent: AgentControls): AgentDirectory {
  return { current: agent, find: (sessionId) => (sessionId === agent.sessionId ? agent : undefined) };
}

import { isolatedEnvironment, says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { AgentProcess } from '../../src/agent/agent-process.js';
import { runAgentTurn } from '../../src/agent/run-agent-turn.js';

test('a turn that is cancelled before its prompt is sent does not call the model', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('never')]);
  const agent = new AgentProcess({
    session: {
      id: crypto.randomUUID(),
      createdAt: 0,
      lastActivityAt: 0,
      workspaceRoot: folder.path,
      directories: [],
      approvalMode: 'default',
      hasIncrements: false,
      metadata: {},
      details: {},
      isResumable: false,
    },
    launch: { env: isolatedEnvironment(folder.resolve('home'), model.env) },
    resume: false,
  });
  const turn = {
    id: 'turn_1',
    content: [{ type: 'text' as const, text: 'hi' }],
    isLiteral: false,
    canUseTool: () => ({ behavior: 'deny' as const, message: 'no' }),
  };
  const signal = AbortSignal.abort();
  const messages = runAgentTurn({ agent, turn, replace: async () => agent, signal });
  await expect(messages.next()).rejects.toBe(signal.reason);
  await agent.close();
  expect(model.requests).toEqual([]);
});

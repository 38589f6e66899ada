import { calls, childrenOf, FAULTY_MCP_SERVER, lastText, says, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { control, openCliFixture, prompt, RESULT } from './cli-fixture.js';

test.each(['none', 'never leaves'])(
  'a server behind a shell that forwards no signals (%s) exits with the session',
  async (fault) => {
    verifies('F42');
    await using fixture = await openCliFixture([
      calls({ name: 'mcp__mine__pid', input: {} }),
      (request) => says(lastText(request)),
    ]);
    const agent = await fixture.startMachine(['--allowed-tools', 'mcp__*']);
    const args = ['-c', '"$0" "$1" "$2"; true', process.execPath, FAULTY_MCP_SERVER, fault];
    agent.send(control('init', { subtype: 'initialize', mcpServers: { mine: { command: 'sh', args } } }));
    agent.send(prompt('pid'));
    const pid = Number((await agent.next(RESULT))['result']);
    expect(childrenOf(agent.pid).length).toBeGreaterThan(1);
    agent.endInput();
    await agent.exited;
    await waitUntilGone(pid, { deadlineMs: 2_000 });
  },
);

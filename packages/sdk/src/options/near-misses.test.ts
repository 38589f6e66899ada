import { expect, test } from 'vitest';
import { checkOptions } from './check-options.js';

const server = { connect: () => Promise.resolve(), close: () => Promise.resolve() };
const agent = { description: 'Reviews.' };

// An ignored member may be a guard or a limit.
test.each<[object, string]>([
  [{ maxTurn: 1 }, 'options.maxTurn does not exist; did you mean maxTurns?'],
  [{ budget: { tokns: 1 } }, 'options.budget.tokns does not exist; did you mean tokens?'],
  [{ timeout: { canUsetool: 1 } }, 'options.timeout.canUsetool does not exist; did you mean canUseTool?'],
  [{ hooks: { PreToolUs: [] } }, 'options.hooks.PreToolUs does not exist; did you mean PreToolUse?'],
  [
    { hooks: { PreToolUse: [{ matchr: 'Bash', hooks: [] }] } },
    'options.hooks.PreToolUse.0.matchr does not exist; did you mean matcher?',
  ],
  [
    { systemPrompt: { type: 'preset', preset: 'qwen_code', apend: 'x' } },
    'options.systemPrompt.apend does not exist; did you mean append?',
  ],
  [
    { systemPrompt: { type: 'custom', prompt: 'x', snapshots: true } },
    'options.systemPrompt.snapshots does not exist; did you mean snapshot?',
  ],
  [
    { outputFormat: { type: 'json_schema', schema: {}, shema: {} } },
    'options.outputFormat.shema does not exist; did you mean schema?',
  ],
  [
    { thinking: { type: 'enabled', budgettoken: 1 } },
    'options.thinking.budgettoken does not exist; did you mean budgetTokens?',
  ],
  [
    { tools: { type: 'preset', preset: 'claude_code', presets: 1 } },
    'options.tools.presets does not exist; did you mean preset?',
  ],
  [{ agents: { a: { ...agent, tool: [] } } }, 'options.agents.0.tool does not exist; did you mean tools?'],
  [
    { agents: { a: { ...agent, runConfig: { maxTurn: 1 } } } },
    'options.agents.0.runConfig.maxTurn does not exist; did you mean maxTurns?',
  ],
  [
    { agents: { a: { ...agent, modelConfig: { tmp: 1 } } } },
    'options.agents.0.modelConfig.tmp does not exist; did you mean temp?',
  ],
  [
    { agents: [{ ...agent, name: 'a', disallowedTool: [] }] },
    'options.agents.0.disallowedTool does not exist; did you mean disallowedTools?',
  ],
  [{ mcpServers: { a: { command: 'x', arg: [] } } }, 'options.mcpServers.a.arg does not exist; did you mean args?'],
  [
    { mcpServers: { a: { type: 'sdk', name: 'a', instance: server, instances: 1 } } },
    'options.mcpServers.a.instances does not exist; did you mean instance?',
  ],
  [
    { mcpServers: { a: { url: 'http://127.0.0.1', oauth: { isuer: 'http://127.0.0.1' } } } },
    'options.mcpServers.a.oauth.isuer does not exist; did you mean issuer?',
  ],
  [{ server: { url: 'http://127.0.0.1', tokens: 'x' } }, 'options.server.tokens does not exist; did you mean token?'],
])('the nearest name is suggested for %j', (options, message) => {
  expect(() => checkOptions(options as never)).toThrow(`Invalid QueryOptions: ${message}`);
});

// A console that shows an answer while it is written and steers the session. Run: node live.ts
import {
  AbortError,
  type HookCallback,
  type PreCompactHookInput,
  query,
  type SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk';

const waiting: (string | null)[] = ['Describe this folder.'];
let wake = (): void => undefined;
function send(text: string | null): void {
  waiting.push(text);
  wake();
}
async function* prompts(): AsyncGenerator<SDKUserMessage> {
  while (true) {
    const text = waiting.shift();
    if (text === null) return;
    if (text !== undefined) {
      yield { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null };
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

const beforeCompact: HookCallback = async (input) => {
  const { trigger } = input as PreCompactHookInput;
  console.log(`compacts: ${trigger}`);
  return {};
};

const abortController = new AbortController();
const running = query({
  prompt: prompts(),
  options: {
    includePartialMessages: true,
    abortController,
    permissionMode: 'plan',
    hooks: { PreCompact: [{ hooks: [beforeCompact] }] },
  },
});

async function discover(): Promise<void> {
  const commands = await running.supportedCommands();
  const compact = commands.find(({ name }) => name === 'compact');
  console.log(`/${compact?.name} ${compact?.argumentHint}`.trim());
  const models = await running.supportedModels();
  console.log(models.map(({ value, displayName }) => value === displayName).includes(false) ? 'named' : 'plain');
  const agents = await running.supportedAgents();
  console.log('agents:', agents.map(({ name, description }) => `${name} ${description}`.trim()).join());
  const account = await running.accountInfo();
  console.log('account:', account?.apiKeySource ?? account?.tokenSource ?? 'unknown');
  const { commands: offered } = await running.initializationResult();
  console.log('the same commands:', offered.length === commands.length);
}

let toolInput = '';
let turn = 0;
try {
  await discover();
  for await (const message of running) {
    if (message.type === 'stream_event') {
      const { event } = message;
      if (event.type === 'content_block_start' && event.content_block.type === 'tool_use') {
        console.log(`[${event.content_block.name}]`);
        toolInput = '';
      }
      if (event.type === 'content_block_delta') {
        if (event.delta.type === 'text_delta') process.stdout.write(event.delta.text);
        else if (event.delta.type === 'input_json_delta') toolInput += event.delta.partial_json;
      }
      if (event.type === 'content_block_stop' && toolInput !== '') {
        console.log(Object.keys(JSON.parse(toolInput) as object).join());
        toolInput = '';
      }
      if (event.type === 'message_stop') process.stdout.write('\n');
      if (turn === 3 && event.type === 'content_block_delta') await running.interrupt();
    } else if (message.type === 'system' && message.subtype === 'init') {
      console.log(`init ${message.model} ${message.permissionMode} ${message.slash_commands.includes('compact')}`);
    } else if (message.type === 'system' && message.subtype === 'compact_boundary') {
      console.log(`compacted: ${message.compact_metadata.trigger} ${message.compact_metadata.pre_tokens > 0}`);
    } else if (message.type === 'system' && message.subtype === 'status') {
      if (message.status === 'compacting') console.log('compacting …');
    } else if (message.type === 'system' && message.subtype === 'task_notification') {
      console.log(`task ${message.status}: ${message.summary}`);
    } else if (message.type === 'system' && message.subtype === 'permission_denied') {
      console.log(`denied: ${message.tool_name} ${message.message}`);
    } else if (message.type === 'tool_progress') {
      console.log(`${message.tool_name} for ${message.elapsed_time_seconds} s`);
    } else if (message.type === 'rate_limit_event') {
      console.log(`limit: ${message.rate_limit_info.status}`);
    } else if (message.type === 'result') {
      turn += 1;
      console.log(`result ${message.subtype} ${message.is_error}`);
      if (turn === 1) {
        await running.setModel('another');
        await running.setPermissionMode('acceptEdits');
        send('Write a note.');
      } else if (turn === 2) {
        send('/compact');
      } else if (turn === 3) {
        send('Count to a million.');
      } else {
        send(null);
      }
    }
  }
} catch (error) {
  if (!(error instanceof AbortError)) throw error;
  console.log('aborted');
}

// Streams an answer, changes the model and the mode between prompts, and stops with an AbortController.
// Run: node steering.ts
import {
  isAbortError,
  isSDKPartialAssistantMessage,
  isSDKResultMessage,
  query,
  type SDKUserMessage,
} from '@qwen-code/sdk';

const waiting: string[] = ['Say hello.'];
let wake: () => void = () => undefined;
const sessionId = crypto.randomUUID();
async function* prompts(): AsyncGenerator<SDKUserMessage> {
  while (true) {
    const content = waiting.shift();
    if (content !== undefined) {
      yield { type: 'user', session_id: sessionId, message: { role: 'user', content }, parent_tool_use_id: null };
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
const send = (text: string): void => {
  waiting.push(text);
  wake();
};

const abortController = new AbortController();
const conversation = query({
  prompt: prompts(),
  options: {
    model: 'first',
    sessionId,
    abortController,
    includePartialMessages: true,
    permissionMode: 'plan',
    logLevel: 'error',
    stderr: () => undefined,
    ...(process.env['QWEN_CLI'] && { pathToQwenExecutable: process.env['QWEN_CLI'] }),
  },
});
let streamed = '';
let turn = 0;
try {
  for await (const message of conversation) {
    if (isSDKPartialAssistantMessage(message)) {
      const { event } = message;
      if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') streamed += event.delta.text;
      if (turn === 2 && streamed.length > 20) abortController.abort();
    }
    if (!isSDKResultMessage(message)) continue;
    turn += 1;
    console.log(`${turn}: ${message.is_error ? 'failed' : message.result} (${streamed === message.result})`);
    streamed = '';
    if (turn === 1) {
      const { commands } = (await conversation.supportedCommands()) as { commands: string[] };
      console.log(commands.includes('compress'), conversation.getSessionId() === sessionId);
      await conversation.setModel('second');
      await conversation.setPermissionMode('yolo');
      send('Write a note.');
    } else send('Count to a million.');
  }
} catch (error) {
  console.log(isAbortError(error) ? `aborted after ${turn} turns` : String(error));
}
console.log(`closed ${conversation.isClosed()}`);
await conversation.interrupt().catch((error: unknown) => console.log(error instanceof Error ? error.message : error));

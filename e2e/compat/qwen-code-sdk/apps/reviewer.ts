// Reviews a folder: reads freely, writes REVIEW.md only, never runs a command. Run: node reviewer.ts
import path from 'node:path';
import {
  type CanUseTool,
  isSDKAssistantMessage,
  isSDKResultMessage,
  isSDKSystemMessage,
  isSDKUserMessage,
  type QueryOptions,
  query,
} from '@qwen-code/sdk';

const canUseTool: CanUseTool = async (toolName, input, { signal, suggestions }) => {
  if (signal.aborted) return { behavior: 'deny', message: 'Too late.' };
  const labels = suggestions?.map(({ type }) => type).join() ?? 'none';
  console.log(`asked for ${toolName}, may answer ${labels.length > 0}`);
  const file = String(input['file_path'] ?? '');
  if (toolName === 'write_file' && path.basename(file) === 'REVIEW.md')
    return { behavior: 'allow', updatedInput: input };
  return { behavior: 'deny', message: 'Write REVIEW.md only.' };
};

const options: QueryOptions = {
  cwd: process.cwd(),
  permissionMode: 'default',
  excludeTools: ['run_shell_command'],
  maxSessionTurns: 10,
  canUseTool,
  ...(process.env['QWEN_CLI'] && { pathToQwenExecutable: process.env['QWEN_CLI'] }),
};

for await (const message of query({ prompt: 'Review this folder.', options })) {
  if (isSDKSystemMessage(message) && message.subtype === 'init') {
    console.log(`started in ${message.permission_mode}, shell ${message.tools?.includes('run_shell_command')}`);
  } else if (isSDKAssistantMessage(message)) {
    for (const block of message.message.content) if (block.type === 'text') console.log(block.text);
  } else if (isSDKUserMessage(message) && Array.isArray(message.message.content)) {
    for (const block of message.message.content) {
      if (block.type === 'tool_result') console.log(block.is_error ? 'refused' : 'done');
    }
  } else if (isSDKResultMessage(message)) {
    console.log(message.is_error ? `failed: ${message.error?.message}` : `result: ${message.result}`);
  }
}

// Decide in the app which tool calls may run. A call that needs permission runs only after an explicit allow.
import { type CanUseTool, query } from '@qwen/sdk';

const canUseTool: CanUseTool = async (toolName, input) => {
  if (toolName === 'edit' || toolName === 'write_file') {
    console.log(`allowed: ${toolName} ${String(input['file_path'])}`);
    return { behavior: 'allow', updatedInput: input };
  }
  console.log(`denied: ${toolName}`);
  return { behavior: 'deny', message: `this app does not let the agent use ${toolName}` };
};

const prompt = process.argv[2] ?? 'Fix the typo in greeting.txt, then delete the folder /tmp/cache.';

for await (const message of query({ prompt, options: { canUseTool } })) {
  if (message.type === 'result') {
    console.log(message.result);
    console.log(`calls that were denied: ${message.permission_denials?.length ?? 0}`);
  }
}

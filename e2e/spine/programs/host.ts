// An app that starts an agent whose tool runs for ever. It prints the pid of the CLI once the tool has begun.
import { watch } from 'node:fs';
import { query } from '@qwen/sdk';

const [workspace = '.'] = process.argv.slice(2);
const conversation = query({ prompt: 'sleep', options: { cwd: workspace, permissionMode: 'yolo' } });

watch(workspace, (_event, name) => {
  if (name === 'started') process.stdout.write(`${JSON.stringify({ type: 'tool_started', pid: conversation.pid })}\n`);
});

for await (const _ of conversation);

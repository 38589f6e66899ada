// Define a subagent: the model hands it a task, it works in a separate conversation and returns a report.
import { query } from '@qwen/sdk';

const conversation = query({
  prompt: process.argv[2] ?? 'Have notes.txt reviewed.',
  options: {
    agents: [
      {
        name: 'reviewer',
        description: 'Reads files and reports problems. Changes nothing.',
        systemPrompt: 'You review texts. List each problem.',
        tools: ['Read', 'Grep'],
        runConfig: { maxTurns: 5 },
      },
    ],
  },
});

for await (const message of conversation) {
  if (message.type === 'assistant' && message.parent_tool_use_id !== null) {
    for (const block of message.message.content) {
      if (block.type === 'tool_use') console.log(`the reviewer uses ${block.name}`);
    }
  }
  if (message.type === 'result') console.log(message.result);
}

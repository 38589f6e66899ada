// Subagents: the model gives a task away; the subagent works in a conversation of its own and gives back a report.
import { query } from '@qwen/sdk';

const conversation = query({
  prompt: process.argv[2] ?? 'Have notes.txt reviewed.',
  options: {
    agents: [
      {
        name: 'reviewer',
        description: 'Reads files and finds faults. Changes nothing.',
        systemPrompt: 'You review texts. Name each fault.',
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

// Add hooks: check each command, add a note for the model after each edit, and check once more before the agent stops.
import { query } from '@qwen/sdk';

let isTested = false;

const conversation = query({
  prompt: process.argv[2] ?? 'Clean the build folder and fix the version.',
  options: {
    permissionMode: 'auto-edit',
    hooks: {
      PreToolUse: [
        {
          matcher: 'Bash',
          hooks: [
            async ({ tool_input: input }) => {
              console.log(`guard: ${JSON.stringify(input)}`);
              const permissionDecisionReason = 'This app does not run commands that delete files.';
              return { hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason } };
            },
          ],
        },
      ],
      PostToolUse: [
        {
          matcher: 'Edit|Write',
          hooks: [async () => ({ hookSpecificOutput: { additionalContext: 'The file was formatted.' } })],
        },
      ],
      Stop: [
        {
          hooks: [
            async () => {
              if (isTested) return undefined;
              isTested = true;
              console.log('not yet: the tests have not run');
              return { decision: 'block', reason: 'Report the test results before you stop.' };
            },
          ],
        },
      ],
    },
  },
});

for await (const message of conversation) {
  if (message.type === 'result') console.log(message.result);
}

import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { hasMessages } from '../conversation/record-text.js';

const PROMPT = `Write a summary of our conversation so far to .qwen/PROJECT_SUMMARY.md, for whoever goes on with this work
in another session. Use these headings:

# Project summary
## Goal
What is to be reached, in one or two sentences.
## Key knowledge
Decisions, conventions, commands and facts that have to be known.
## Done
What was changed and found out, with the files.
## Open
What is left to do, in order, and what is in the way.

Write down only what came up here.`;

export const summaryCommand: Command = {
  name: 'summary',
  description: 'Has the model write .qwen/PROJECT_SUMMARY.md about this conversation.',
  kind: 'built-in',
  run: async (_call, { session }) =>
    hasMessages(await session.records()) ? { type: 'submit_prompt', content: PROMPT } : says('Nothing was said yet.'),
};

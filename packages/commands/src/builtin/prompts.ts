import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { hasMessages } from '../conversation/record-text.js';
import { askFirst } from './command-parts.js';

const INIT_PROMPT = `Analyze this project and write QWEN.md in its root: a guide for an engineer who is new to the project. Read the
most informative files first: README, package manifests, build and test configuration. Then describe, as briefly as
you can:

- the purpose of the project and its parts: languages, frameworks, important folders;
- the commands to install, build, run, test, lint and format, exactly as the files define them;
- conventions of the code that are not obvious;
- where to find more.

Include only what the files show. Omit anything they do not answer.`;

const init: Command = {
  name: 'init',
  description: 'Analyze the project and write QWEN.md.',
  kind: 'built-in',
  run: async (call, { files }) => {
    const before = await files.read('QWEN.md');
    if (before !== undefined && before.trim() !== '') {
      const question = askFirst(call, 'QWEN.md is not empty. Rewrite it?');
      if (question !== undefined) return question;
    }
    return { type: 'submit_prompt', content: INIT_PROMPT };
  },
};

const SUMMARY_PROMPT = `Write a summary of our conversation so far to .qwen/PROJECT_SUMMARY.md, so that the work can continue in
another session. Use these headings:

# Project summary
## Goal
The goal, in one or two sentences.
## Key knowledge
Decisions, conventions, commands and facts to know.
## Done
Changes and findings, with file names.
## Open
Remaining steps in order, and any blockers.

Include only what came up in this conversation.`;

const summary: Command = {
  name: 'summary',
  description: 'Write a summary of the conversation to .qwen/PROJECT_SUMMARY.md.',
  kind: 'built-in',
  run: async (_call, { session }) =>
    hasMessages(await session.records())
      ? { type: 'submit_prompt', content: SUMMARY_PROMPT }
      : info('The conversation is empty.'),
};

export const promptCommands: readonly Command[] = [init, summary];

import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { hasMessages } from '../conversation/record-text.js';
import { askFirst } from './command-parts.js';

const INIT_PROMPT = `Look this project over and write QWEN.md in its root: what an engineer has to know who works here for the
first time. Read the files that tell most first: README, the manifests of packages, the configuration of builds and
tests. Then say in it, as briefly as you can:

- what the project is for, and what it is made of: languages, frameworks, the folders that matter;
- the commands to install, build, run, test, lint and format, as they stand in the files;
- the conventions that the code keeps to and that are not obvious;
- where to find more.

Write down only what the files show. Leave out what has no answer there.`;

const init: Command = {
  name: 'init',
  description: 'Has the model look the project over and write QWEN.md.',
  kind: 'built-in',
  run: async (call, { files }) => {
    const before = await files.read('QWEN.md');
    if (before !== undefined && before.trim() !== '') {
      const question = askFirst(call, 'QWEN.md has content already. Have it written anew?');
      if (question !== undefined) return question;
    }
    return { type: 'submit_prompt', content: INIT_PROMPT };
  },
};

const SUMMARY_PROMPT = `Write a summary of our conversation so far to .qwen/PROJECT_SUMMARY.md, for whoever goes on with this work
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

const summary: Command = {
  name: 'summary',
  description: 'Has the model write .qwen/PROJECT_SUMMARY.md about this conversation.',
  kind: 'built-in',
  run: async (_call, { session }) =>
    hasMessages(await session.records())
      ? { type: 'submit_prompt', content: SUMMARY_PROMPT }
      : info('Nothing was said yet.'),
};

export const promptCommands: readonly Command[] = [init, summary];

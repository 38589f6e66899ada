import type { Command } from '../command.js';
import { askFirst } from './ask-first.js';

const PROMPT = `Look this project over and write QWEN.md in its root: what an engineer has to know who works here for the
first time. Read the files that tell most first: README, the manifests of packages, the configuration of builds and
tests. Then say in it, as briefly as you can:

- what the project is for, and what it is made of: languages, frameworks, the folders that matter;
- the commands to install, build, run, test, lint and format, as they stand in the files;
- the conventions that the code keeps to and that are not obvious;
- where to find more.

Write down only what the files show. Leave out what has no answer there.`;

export const initCommand: Command = {
  name: 'init',
  description: 'Has the model look the project over and write QWEN.md.',
  kind: 'built-in',
  run: async (call, { files }) => {
    const before = await files.read('QWEN.md');
    if (before !== undefined && before.trim() !== '') {
      const question = askFirst(call, 'QWEN.md has content already. Have it written anew?');
      if (question !== undefined) return question;
    }
    return { type: 'submit_prompt', content: PROMPT };
  },
};

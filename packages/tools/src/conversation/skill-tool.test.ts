import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { type SkillSource, skillTool } from './skill-tool.js';

const source: SkillSource = {
  names: ['release', 'pdf:forms'],
  open: async (name, args) => ({ text: `<${name}> ${args}`, path: `/s/${name}/SKILL.md` }),
};

test('the model chooses among the names', () => {
  expect(skillTool(source).inputSchema).toMatchObject({
    properties: { skill: { type: 'string', enum: ['release', 'pdf:forms'] } },
    required: ['skill'],
  });
});

test.each([
  { skill: 'release', args: 'v2' },
  { name: 'Release', arguments: 'v2' },
])('%j loads', async (input) => {
  expect(await runTool(skillTool(source), input, { cwd: '/' })).toMatchObject({
    content: '<release> v2',
    structured: { success: true, commandName: 'release', path: '/s/release/SKILL.md', wasLoaded: false },
  });
});

test('instructions that the conversation contains are not sent again', async () => {
  const isInContext = (text: string) => text === '<release> ';
  const result = await runTool(skillTool(source), { skill: 'release' }, { cwd: '/', isInContext });
  expect(result.content).toContain('in this conversation already');
  expect(result.structured).toMatchObject({ wasLoaded: true });
});

test('an unknown name is an error that suggests the nearest', async () => {
  await expect(runTool(skillTool(source), { skill: 'relase' }, { cwd: '/' })).rejects.toMatchObject({
    code: 'invalid_tool_input',
    message: expect.stringContaining('"release"'),
  });
});

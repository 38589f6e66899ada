import { describe, expect, test } from 'vitest';
import { CALL, JSON_CALL, readText as read } from '../../test/read-text.js';

const INPUT = '{"file_path": "a.txt"}';
const REACT = `Action: read_file\nAction Input: ${INPUT}`;
const LIST = { name: 'run_shell_command', arguments: { command: 'ls' } };
const LIST_CALL = ['run_shell_command', { command: 'ls' }];

describe('calls between marks', () => {
  test.each([
    ['LM Studio', `[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]`],
    ['LM Studio on its own lines', `[TOOL_REQUEST]\n${JSON_CALL}\n[END_TOOL_REQUEST]`],
    ['LM Studio without its end', `[TOOL_REQUEST]${JSON_CALL}`],
    [
      'LM Studio with an invented result',
      `[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]\n[TOOL_RESULT]x[END_TOOL_RESULT]`,
    ],
    ['brackets in lower case', `[tool_call]${JSON_CALL}[/tool_call]`],
    ['Mistral with a closing mark', `[TOOL_CALLS][${JSON_CALL}][/TOOL_CALLS]`],
    [
      'Kimi with a section in the singular',
      `<|tool_call_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>${INPUT}<|tool_call_end|><|tool_call_section_end|>`,
    ],
    [
      'Hunyuan with JSON',
      `<tool_calls><tool_call>read_file<tool_sep>\`\`\`json\n${INPUT}\n\`\`\`</tool_call></tool_calls>`,
    ],
    ['braces in braces', `<tool_call>\n{${JSON_CALL}}\n</tool_call>`],
    ['tags in tags', `<tool_call>\n<tool_call>\n${JSON_CALL}\n</tool_call>\n</tool_call>`],
    ['an element with the name as an attribute', `<tool name="read_file">${INPUT}</tool>`],
    [
      'Qwen3-Coder without a bracket after the name',
      '<tool_call>\n<function=read_file\n<parameter=file_path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
    ['ReAct with an invented result', `${REACT}\nObservation: it is empty\nFinal Answer: empty`],
    [
      'ReAct with an invented result after a fence',
      `Action: read_file\nAction Input:\n\`\`\`json\n${INPUT}\n\`\`\`\nObservation: empty`,
    ],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual({ text: '', thinking: '', calls: CALL });
    expect(await read(`I will read it.\n\n${text}\n`)).toMatchObject({ text: 'I will read it.\n\n', calls: CALL });
  });

  test('several calls keep their order', async () => {
    const requests = `[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]\n[TOOL_REQUEST]${JSON.stringify(LIST)}[END_TOOL_REQUEST]`;
    expect((await read(requests))?.calls).toEqual([...CALL, LIST_CALL]);
    const list = `[TOOL_REQUEST]${JSON.stringify(LIST)}[END_TOOL_REQUEST]`;
    const command = 'echo ßßßß';
    const longerInCapitals = `[TOOL_REQUEST]{"name": "run_shell_command", "arguments": {"command": "${command}"}}[END_TOOL_REQUEST]`;
    expect((await read(`${longerInCapitals}\n${list}`))?.calls).toEqual([
      ['run_shell_command', { command }],
      LIST_CALL,
    ]);
    const actions = `${REACT}\n\nThought: And the folder.\nAction: run_shell_command\nAction Input: {"command": "ls"}`;
    expect((await read(actions))?.calls).toEqual([...CALL, LIST_CALL]);
  });

  test.each([
    ['LM Studio', '[TOOL_REQUEST]{"name": "edit", "arguments": {"file_path": "a'],
    [
      'a mark of LM Studio in a text',
      '[TOOL_REQUEST]{"name": "edit", "arguments": {"new_string": "[END_TOOL_REQUEST] <tool_call>',
    ],
    ['a line of ReAct in a text', 'Action: edit\nAction Input: {"new_string": "a\nObservation: b'],
  ])('a call that is cut off does not run: %s', async (_, text) => {
    expect((await read(text))?.calls).toEqual([['edit', 'invalid_tool_input']]);
  });

  test.each([
    '[TOOL_REQUEST] opens a call of LM Studio.',
    `LM Studio writes calls like this:\n[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]`,
    `Use \`[TOOL_REQUEST]${JSON_CALL}[END_TOOL_REQUEST]\` for it.`,
    '<tool name="read_file"> is an element.',
    '[tool_call] is a mark.',
  ])('%j is text', async (text) => {
    expect(await read(text)).toEqual({ text, thinking: '', calls: [] });
  });
});

describe('an answer that is nothing but a call', () => {
  test.each([
    ['Mistral without its first mark', `read_file[ARGS]${INPUT}`],
    ['Mistral without marks', `read_file${INPUT}`],
    ['Kimi without marks', `functions.read_file:0${INPUT}`],
    ['GLM-4', `read_file\n${INPUT}`],
    [
      'GLM without its first tag',
      'read_file\n<arg_key>file_path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>',
    ],
    ['Functionary', `>>>read_file\n${INPUT}`],
    ['a function of JSON', `functions.read_file(${INPUT})`],
    ['a function in Python', 'read_file(file_path="a.txt")'],
    [
      'gpt-oss without its first mark',
      `commentary to=functions.read_file <|constrain|>json<|message|>${INPUT}<|call|>`,
    ],
    ['gpt-oss with the role in front', `assistant<|channel|>commentary to=functions.read_file json<|message|>${INPUT}`],
    [
      'gpt-oss with the receiver first',
      `to=functions.read_file<|channel|>commentary<|constrain|>json<|message|>${INPUT}<|call|>`,
    ],
    ['gpt-oss without marks', `commentary to=functions.read_file json${INPUT}`],
    ['gpt-oss without marks and blanks', `assistantcommentary to=functions.read_filejson${INPUT}`],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual({ text: '', thinking: '', calls: CALL });
    expect((await read(`${text}\nThat is how it is called.`))?.calls).toEqual([]);
    expect((await read(`For example:\n\n${text}`))?.calls).toEqual([]);
  });

  test('gpt-oss without marks: analysis is thinking', async () => {
    const call = `analysisI read it.assistantcommentary to=functions.read_file json${INPUT}`;
    expect(await read(call)).toEqual({ text: '', thinking: 'I read it.', calls: CALL });
    expect(await read('analysisI know it.assistantfinalDone.')).toEqual({
      text: 'Done.',
      thinking: 'I know it.',
      calls: [],
    });
  });

  test.each([
    'read_file("a.txt")',
    'read_file(path) reads a file.',
    `format_disk${INPUT}`,
    `format_disk[ARGS]${INPUT}`,
    'read_file[ARGS]{"file_path": "a',
    'Done\n{"file_path": "a.txt"}',
    'analysis of the code: fine.',
    'analysisABC',
    'commentary to=functions.read_file is a header of gpt-oss.',
    'Assistant: done.',
    'to=do',
  ])('%j is text', async (text) => {
    expect(await read(text)).toEqual({ text, thinking: '', calls: [] });
  });
});

describe('a call at the end of the reasoning, without an answer', () => {
  const THOUGHT = 'I have to read it.\n';
  const call = `<tool_call>\n${JSON_CALL}\n</tool_call>`;

  test.each([
    ['in an open block', `<think>${THOUGHT}${call}`],
    ['in a closed block', `<think>${THOUGHT}${call}\n</think>\n`],
  ])('runs: %s', async (_, text) => {
    expect(await read(text)).toMatchObject({ text: '', calls: CALL });
  });

  test('runs if the provider separates reasoning', async () => {
    expect(await read('', { first: [{ type: 'thinking_delta', text: THOUGHT + call }] })).toMatchObject({
      calls: CALL,
    });
  });

  test('only the last calls run', async () => {
    const text = `<think>Maybe this.\n<tool_call>{"name": "edit", "arguments": {}}</tool_call>\nNo. I read it.\n${call}`;
    expect(await read(text)).toMatchObject({ calls: CALL });
  });

  test.each([
    ['reasoning after it', `<think>${THOUGHT}${call}\nOr should I ask?`],
    ['an answer', `<think>${THOUGHT}${call}\n</think>\nDone.`],
    ['an example', `<think>The form is like this:\n${call}`],
    ['a code block', `<think>${THOUGHT}\`\`\`\n${call}\n\`\`\``],
    ['a call that is cut off', `<think>${THOUGHT}<tool_call>\n{"name": "read_file", "arguments": {"file`],
  ])('does not run with %s', async (_, text) => {
    expect((await read(text))?.calls).toEqual([]);
  });
});

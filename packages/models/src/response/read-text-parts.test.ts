import { describe, expect, test } from 'vitest';
import { CALL, JSON_CALL, readText as read } from '../../test/read-text.js';
import type { ModelPart } from '../parts.js';

describe('calls written as text', () => {
  test.each([
    ['Hermes', `<tool_call>\n${JSON_CALL}\n</tool_call>`],
    ['Hermes without an end', `<tool_call>\n${JSON_CALL}`],
    ['Hermes with a list', `<tool_call>[${JSON_CALL}]</tool_call>`],
    [
      'Hermes with arguments as text',
      `<tool_call>{"name":"Read","arguments":"{\\"file_path\\":\\"a.txt\\"}"}</tool_call>`,
    ],
    ['Hermes with single quotes', `<tool_call>{'name': 'read_file', 'arguments': {'file_path': 'a.txt'}}</tool_call>`],
    ['Qwen2.5', `<tools>\n${JSON_CALL}\n</tools>`],
    [
      'Qwen3-Coder',
      '<tool_call>\n<function=read_file>\n<parameter=file_path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen3-Coder without its first tag',
      '<function=read_file>\n<parameter=file_path>\na.txt\n</parameter>\n</function>\n</tool_call>',
    ],
    ['Qwen3-Coder without the end of a parameter', '<function=read_file>\n<parameter=file_path>\na.txt\n</function>'],
    ['GLM', '<tool_call>read_file\n<arg_key>file_path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call>'],
    [
      'DeepSeek V3',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n```json\n{"file_path": "a.txt"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.1',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"file_path": "a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
    ],
    [
      'DeepSeek V3.2',
      '<｜DSML｜function_calls>\n<｜DSML｜invoke name="read_file">\n<｜DSML｜parameter name="file_path" string="true">a.txt</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
    ],
    [
      'Kimi K2',
      '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{"file_path": "a.txt"}<|tool_call_end|><|tool_calls_section_end|>',
    ],
    [
      'gpt-oss',
      '<|channel|>commentary to=functions.read_file <|constrain|>json<|message|>{"file_path":"a.txt"}<|call|>',
    ],
    [
      'gpt-oss with the receiver first',
      '<|start|>assistant to=functions.read_file<|channel|>commentary json<|message|>{"file_path":"a.txt"}<|call|>',
    ],
    ['Llama 3.1', '<|python_tag|>{"name": "read_file", "parameters": {"file_path": "a.txt"}}<|eom_id|>'],
    ['Llama with a function', '<function=read_file>{"file_path": "a.txt"}</function>'],
    ['only JSON', '{"name": "read_file", "parameters": {"file_path": "a.txt"}}'],
    ['only JSON of the OpenAI kind', `{"type":"function","function":${JSON_CALL}}`],
    ['Mistral', `[TOOL_CALLS][${JSON_CALL}]`],
    ['Mistral with arguments apart', '[TOOL_CALLS]read_file[ARGS]{"file_path": "a.txt"}'],
    [
      'Anthropic',
      '<function_calls>\n<invoke name="Read">\n<parameter name="file_path">a.txt</parameter>\n</invoke>\n</function_calls>',
    ],
    [
      'MiniMax',
      '<minimax:tool_call>\n<invoke name="read_file">\n<parameter name="file_path">a.txt</parameter>\n</invoke>\n</minimax:tool_call>',
    ],
    ['Hermes with the mark of an end', `<tool_call>\n${JSON_CALL}\n</tool_call><|im_end|>`],
    ['Hermes with a code fence inside', `<tool_call>\n\`\`\`json\n${JSON_CALL}\n\`\`\`\n</tool_call>`],
    ['Hermes without its last bracket', `<tool_call>\n${JSON_CALL.slice(0, -1)}\n</tool_call>`],
    ['Hermes in a list of calls', `<tool_calls>\n<tool_call>\n${JSON_CALL}\n</tool_call>\n</tool_calls>`],
    ['MiniMax M1', `<tool_calls>\n${JSON_CALL}\n</tool_calls>`],
    ['Nemotron', `<TOOLCALL>[${JSON_CALL}]</TOOLCALL>`],
    [
      'Command',
      '<|START_ACTION|>[\n  {"tool_call_id": "0", "tool_name": "read_file", "parameters": {"file_path": "a.txt"}}\n]<|END_ACTION|>',
    ],
    ['Phi', `functools[${JSON_CALL}]`],
    ['LFM', '<|tool_call_start|>[read_file(file_path="a.txt")]<|tool_call_end|>'],
    ['InternLM', `<|action_start|><|plugin|>\n${JSON_CALL}<|action_end|>`],
    ['OLMo', '<function_calls>\nread_file(file_path="a.txt")\n</function_calls>'],
    ['Gemma', '<|tool_call>call:read_file{file_path:<|"|>a.txt<|"|>}<tool_call|>'],
    ['FunctionGemma', '<start_function_call>call:read_file{file_path:<escape>a.txt<escape>}<end_function_call>'],
    ['only JSON of a list of calls', `{"tool_calls":[{"type":"function","function":${JSON_CALL}}]}`],
    ['Phi-4', `<|tool_call|>[${JSON_CALL}]<|/tool_call|>`],
    ['Granite', `<|tool_call|>[${JSON_CALL}]`],
    ['functioncall', `<functioncall> ${JSON_CALL}`],
    [
      'Qwen3-Coder with names as attributes',
      '<tool_call>\n<function name="read_file">\n<parameter name="file_path">a.txt</parameter>\n</function>\n</tool_call>',
    ],
    [
      'Qwen3-Coder without the end of the function',
      '<tool_call>\n<function=read_file>\n<parameter=file_path>\na.txt\n</parameter>\n</tool_call>',
    ],
    [
      'DeepSeek with the mark of an end',
      '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>read_file<｜tool▁sep｜>{"file_path": "a.txt"}<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>',
    ],
    ['Mistral without its mark of arguments', '[TOOL_CALLS]read_file{"file_path": "a.txt"}'],
    [
      'elements for name and arguments',
      '<tool_call>\n<name>read_file</name>\n<arguments>\n<file_path>a.txt</file_path>\n</arguments>\n</tool_call>',
    ],
    ['elements with JSON', '<tool_use><name>read_file</name><arguments>{"file_path": "a.txt"}</arguments></tool_use>'],
    [
      'an element with the name of the tool',
      '<tool_call><read_file><file_path>a.txt</file_path></read_file></tool_call>',
    ],
    [
      'elements inside a function',
      '<tool_call><function><name>read_file</name><parameters>{"file_path":"a.txt"}</parameters></function></tool_call>',
    ],
    ['the name as an attribute', '<tool_call name="read_file">{"file_path": "a.txt"}</tool_call>'],
    ['Llama 3.1 with Python', '<|python_tag|>read_file.call(file_path="a.txt")<|eom_id|>'],
    ['a name and JSON between tags', '<tool_call>\nread_file\n{"file_path": "a.txt"}\n</tool_call>'],
    [
      'Hunyuan',
      '<tool_calls><tool_call>read_file<tool_sep>\n<arg_key>file_path</arg_key>\n<arg_value>a.txt</arg_value>\n</tool_call></tool_calls>',
    ],
    ['tags with a dash', `<tool-call>${JSON_CALL}</tool-call>`],
    ['Cline', '<read_file>\n<file_path>a.txt</file_path>\n</read_file>'],
    ['ReAct', 'Action: read_file\nAction Input: {"file_path": "a.txt"}\nObservation:'],
    ['ReAct with a code fence', 'Action: `read_file`\nAction Input:\n```json\n{"file_path": "a.txt"}\n```'],
    ['Qwen-Agent', '\u273fFUNCTION\u273f: read_file\n\u273fARGS\u273f: {"file_path": "a.txt"}\n\u273fRESULT\u273f'],
    [
      'Anthropic with single quotes',
      "<function_calls><invoke name='read_file'><parameter name='file_path'>a.txt</parameter></invoke></function_calls>",
    ],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual({ text: '', thinking: '', calls: CALL });
    expect(await read(`I will read it.\n\n${text}\n`)).toMatchObject(
      /^(?:\{|functools)/.test(text) ? { calls: [] } : { text: 'I will read it.\n\n', calls: CALL },
    );
  });

  test.each([
    ['one', '[read_file(file_path="a.txt")]'],
    ['with marks', '<|python_start|>[read_file(file_path="a.txt")]<|python_end|><|eot|>'],
    ['over several lines', '[\n  read_file(\n    file_path="a.txt",\n  ),\n]'],
    ['in a fence', '```tool_code\nprint(read_file(file_path="a.txt"))\n```'],
    ['with marks only', "<|python_start|>read_file(file_path='a.txt')<|python_end|>"],
  ])('a list of calls in the syntax of Python: %s', async (_, text) => {
    expect(await read(text)).toEqual({ text: '', thinking: '', calls: CALL });
  });

  test('arguments in the syntax of Python keep brackets, quotes and names in texts', async () => {
    const text = `[edit(file_path='a.py', old_string="f(x=1)", new_string='''g(y=[2], "z")'''), run_shell_command(command="echo ')'", is_background=False)]`;
    expect((await read(text))?.calls).toEqual([
      ['edit', { file_path: 'a.py', old_string: 'f(x=1)', new_string: 'g(y=[2], "z")' }],
      ['run_shell_command', { command: "echo ')'", is_background: false }],
    ]);
  });

  test('reads ReAct after a thought', async () => {
    const text = 'Thought: I look at `a.txt`\nAction: read_file\nAction Input: {"file_path": "a.txt"}';
    expect(await read(text)).toEqual({ text: 'Thought: I look at `a.txt`\n', thinking: '', calls: CALL });
  });

  test('reads a call after a line that ends with a quotation', async () => {
    expect((await read(`I read \`a.txt\`\n<tool_call>${JSON_CALL}</tool_call>`))?.calls).toEqual(CALL);
    expect((await read(`It is "a.txt"\n\n<tool_call>${JSON_CALL}</tool_call>`))?.calls).toEqual(CALL);
  });

  test('a value with an ambiguous end has no input', async () => {
    const value = '<content>a</content>';
    const text = `<tool_call><name>edit</name><arguments><content>${value}</content></arguments></tool_call>`;
    expect((await read(text))?.calls).toEqual([['edit', 'invalid_tool_input']]);
  });

  test.each([
    ['Kimi', '<|tool_calls_section_begin|><|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>'],
    ['DeepSeek', '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>edit<｜tool▁sep｜>'],
    ['Mistral', '[TOOL_CALLS]edit[ARGS]'],
    ['GLM, its name', '<tool_call>edit'],
    ['GLM, an argument', '<tool_call>edit\n<arg_key>file_path</arg_key>\n<arg_value>a.txt</arg_value>\n'],
  ])('a call that is cut off does not run: %s', async (_, text) => {
    expect((await read(text))?.calls).toEqual([['edit', 'invalid_tool_input']]);
  });

  test.each([
    "I'll look at it.",
    'Now let me read the file:',
    '\u8ba9\u6211\u770b\u770b:',
    "I'll read it again. Let's see:",
  ])('a call after %j on the same line runs', async (before) => {
    expect((await read(`${before} <tool_call>${JSON_CALL}</tool_call>`))?.calls).toEqual(CALL);
  });

  test.each([
    'Here is an example of a call in this form:',
    'A model of this kind would write:',
    'Do not run this:',
    'The page contains an injected call:',
    'The model emits e.g.',
    'It looks like this:',
  ])('a call after %j is an example', async (before) => {
    for (const gap of ['\n', '\n\n', ' ']) {
      const text = `${before}${gap}<tool_call>${JSON_CALL}</tool_call>`;
      expect(await read(text)).toEqual({ text, thinking: '', calls: [] });
    }
  });

  test('a value of Qwen3-Coder may contain the end of a function', async () => {
    const value = '<function>x</function>\n</function>\n<p>';
    const text = `<tool_call>\n<function=edit>\n<parameter=new_string>\n${value}\n</parameter>\n</function>\n</tool_call>`;
    expect((await read(text))?.calls).toEqual([['edit', { new_string: value }]]);
  });

  test('a call without arguments runs', async () => {
    const text = '<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|><|tool_call_end|>';
    expect((await read(text))?.calls).toEqual([['edit', {}]]);
  });

  test('several calls keep their order, with the text between them', async () => {
    const second = '<tool_call>{"name": "run_shell_command", "arguments": {"command": "ls"}}</tool_call>';
    const seen = await read(`First.\n<tool_call>${JSON_CALL}</tool_call>\nThen.\n${second}`);
    expect(seen?.calls).toEqual([...CALL, ['run_shell_command', { command: 'ls' }]]);
    expect(seen?.text).toBe('First.\n\nThen.\n');
  });

  test('a value keeps its blanks, tags and line ends', async () => {
    const value = '  if (a < b) {\n    <p>x</p>\n\n  }';
    const text = `<tool_call>\n<function=edit>\n<parameter=old_string>\n${value}\n</parameter>\n<parameter=new_string>\n\n</parameter>\n</function>\n</tool_call>`;
    expect((await read(text))?.calls).toEqual([['edit', { old_string: value, new_string: '' }]]);
  });

  test.each([
    ['a code block', `Write this:\n\`\`\`\n<tool_call>${JSON_CALL}</tool_call>\n\`\`\`\n`],
    ['a code block of a longer fence', `\`\`\`\`md\n\`\`\`\n<tool_call>${JSON_CALL}</tool_call>\n\`\`\`\n\`\`\`\``],
    ['a code block that is not closed', `~~~xml\n<tool_call>${JSON_CALL}</tool_call>`],
    ['inline code', `Use \`<tool_call>${JSON_CALL}</tool_call>\` for it.`],
    ['a quotation', `The file says:\n> <tool_call>${JSON_CALL}</tool_call>`],
    ['quotes', `It prints "<tool_call>${JSON_CALL}</tool_call>"`],
    ['the middle of a line', `The form <tool_call>${JSON_CALL}</tool_call> reads a file.`],
    ['an indented block', `Example:\n\n    <tool_call>${JSON_CALL}</tool_call>`],
    ['a tool that is not offered', '<tool_call>{"name": "format_disk", "arguments": {}}</tool_call>'],
    ['a tag without a call', 'The tag <tool_call> begins a call.\nThat is all.'],
    ['JSON that is no call', '{"name": "read_file"}'],
    ['JSON of another name', '{"name": "me", "arguments": {"a": 1}}'],
    ['JSON in a code block', `\`\`\`json\n${JSON_CALL}\n\`\`\``],
    ['a comparison', 'a <b and c[0] <t'],
    ['an element of HTML', `<pre>\n<tool_call>${JSON_CALL}</tool_call>\n</pre>`],
    ['a line of a diff', `+<tool_call>${JSON_CALL}</tool_call>`],
    ['a value of YAML', `prompt: |\n  <tool_call>${JSON_CALL}</tool_call>`],
    ['a value on its line', `prompt: <tool_call>${JSON_CALL}</tool_call>`],
    ['a string of Python', `text = """\n<tool_call>${JSON_CALL}</tool_call>\n"""`],
    ['a sentence around it', `Never write\n<tool_call>${JSON_CALL}</tool_call>\nin an answer.`],
    ['a list of forms', `1. Hermes: <tool_call>${JSON_CALL}</tool_call>\n2. Other`],
    ['an escape', `\\<tool_call>${JSON_CALL}</tool_call>`],
    ['a mention of an element', 'An <invoke name="read_file"> element calls a tool.'],
    ['a list of links', '[read_file(docs)](http://localhost/a)\nMore.'],
    ['a list in Python before text', '[read_file(file_path="a.txt")] is the form of Llama.'],
    ['a list in Python of another tool', '[format_disk(path="/")]'],
    ['a list in Python without names', '[read_file("a.txt")]'],
    ['a list in Python that is not closed', '[read_file(file_path="a.txt"'],
    ['a plan with actions', 'Action: read_file\nOwner: me\nAction: edit\nOwner: you'],
    ['an example of ReAct', 'Agents write this:\n\nAction: read_file\nAction Input: {"file_path": "a.txt"}'],
    ['ReAct in a code block', '```\nAction: read_file\nAction Input: {"file_path": "a.txt"}\n```'],
    ['ReAct with a text as input', 'Action: read_file\nAction Input: a.txt'],
    [
      'a definition of a tool',
      '{"name": "read_file", "parameters": {"type": "object", "properties": {"file_path": {}}}}',
    ],
    [
      'a form with an explanation',
      `Use this form:\n<tool_call>${JSON_CALL}</tool_call>\nThe name is that of the tool.`,
    ],
    ['an element of a tool in another', '<div>\n<read_file><file_path>a.txt</file_path></read_file>\n</div>'],
    ['a fence of Gemma between texts', 'So:\n```tool_code\nread_file(file_path="a.txt")\n```\n'],
    ['a mention of a function', 'The opener is <function=read_file> and the end is </function>.'],
  ])('in %s is text', async (_, text) => {
    expect(await read(text)).toEqual({ text, thinking: '', calls: [] });
  });

  test('text of a tool result or the user stays text when the model repeats it', async () => {
    const text = `<tool_call>${JSON_CALL}</tool_call>`;
    const content = [{ type: 'text' as const, text: `before\n${text.replace(': ', ':  ')}\nafter` }];
    const results = [{ callId: 'c', name: 'read_file', content, isError: false }];
    expect((await read(text, { messages: [{ role: 'tool', results }] }))?.calls).toEqual([]);
    expect((await read(text, { messages: [{ role: 'user', content }] }))?.calls).toEqual([]);
    expect((await read(JSON_CALL, { messages: [{ role: 'user', content }] }))?.calls).toEqual([]);
  });

  test.each([
    '<tool_call>\n{"name": "edit", "arguments": {"file_path": "a", "old_str',
    '<tool_call>\n<function=edit>\n<parameter=file_path>\na',
    '<tool_call>\n<name>edit</name>\n<arguments>\n<file_path>a',
    '<tool_call name="edit">{"file_path": "a',
    'Action: edit\nAction Input: {"file_path": "a',
    '<|tool_call_begin|>functions.edit:0<|tool_call_argument_begin|>{"file_path": "a',
  ])('a call that stops early is reported and has no input: %j', async (text) => {
    expect((await read(text))?.calls).toEqual([['edit', 'invalid_tool_input']]);
  });

  test('next to a native call, and if it is disabled, the text stays', async () => {
    const text = `<tool_call>${JSON_CALL}</tool_call>`;
    const native: ModelPart[] = [
      { type: 'tool_call_start', id: '1', name: 'edit' },
      { type: 'tool_call_end', id: '1', name: 'edit', input: {} },
    ];
    expect(await read(text, { more: native })).toEqual({ text, thinking: '', calls: [['edit', {}]] });
    expect(await read(text, { toolCalls: false })).toEqual({ text, thinking: '', calls: [] });
  });
});

describe('thinking written as text', () => {
  test.each([
    ['<think>\nhm\n</think>\n\nDone.', 'hm\n', 'Done.'],
    ['\n<thinking>hm</thinking>Done.', 'hm', 'Done.'],
    ['<seed:think>hm</seed:think>Done.', 'hm', 'Done.'],
    ['[THINK]hm[/THINK]Done.', 'hm', 'Done.'],
    ['\u25c1think\u25b7hm\u25c1/think\u25b7Done.', 'hm', 'Done.'],
    ['<|START_THINKING|>hm<|END_THINKING|>Done.', 'hm', 'Done.'],
    ['[THINGS] to do', '', '[THINGS] to do'],
    ['<think>never closed', 'never closed', ''],
    ['<think></think>Done.', '', 'Done.'],
    ['The tag <think> is text.</think>', '', 'The tag <think> is text.</think>'],
    ['<thing>x', '', '<thing>x'],
  ])('%j', async (text, thinking, rest) => {
    expect(await read(text)).toEqual({ text: rest, thinking, calls: [] });
  });

  test('a call in it does not run, a call after it does', async () => {
    const text = `<think>I could <tool_call>${JSON_CALL}</tool_call></think>\n<tool_call>${JSON_CALL}</tool_call>`;
    const thinking = `I could <tool_call>${JSON_CALL}</tool_call>`;
    expect(await read(text)).toEqual({ text: '', thinking, calls: CALL });
  });

  test('gpt-oss: analysis is thinking, the final channel is the answer', async () => {
    const text = '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Done.<|return|>';
    expect(await read(text)).toEqual({ text: 'Done.', thinking: 'hm', calls: [] });
  });

  test('it stays text if it is disabled', async () => {
    const text = '<think>hm</think>Done.';
    expect(await read(text, { thinkTags: false })).toEqual({ text, thinking: '', calls: [] });
  });
});

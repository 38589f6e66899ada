import { calls, lastText, says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openFixture, PYTHON_ARGUMENTS, replay, success, TYPESCRIPT_ARGUMENTS } from './fixture.ts';

const RESULT = { type: 'result' };

test('-v prints a version that the Python SDK can parse', async () => {
  await using fixture = await openFixture(() => [says('never')]);
  const program = await fixture.start('python', ['-v']);
  expect(await program.exited).toEqual({ code: 0, signal: null });
  // It takes the number at the very start and lets everything after it be.
  expect(program.lines[0]?.text).toMatch(/^[0-9]+\.[0-9]+\.[0-9]+/);
});

test.each([
  ['python', PYTHON_ARGUMENTS],
  ['typescript', TYPESCRIPT_ARGUMENTS],
] as const)(
  '%s: one prompt returns the members that its reader needs, and exit code 0 at the end of input',
  async (language, args) => {
    verifies('CF-02');
    await using fixture = await openFixture(() => [says('Hello from the model.')]);
    const program = await fixture.start(language, args);
    await replay(program, `${language}-query`);
    expect(await program.next({ type: 'control_response' })).toMatchObject({
      response: { subtype: 'success', response: { commands: expect.any(Array), output_style: expect.any(String) } },
    });
    expect(await program.next({ type: 'system' })).toMatchObject({ subtype: 'init', session_id: expect.any(String) });
    expect(await program.next({ type: 'assistant' })).toMatchObject({
      message: { model: 'scripted', content: [{ type: 'text', text: 'Hello from the model.' }] },
      session_id: expect.any(String),
      parent_tool_use_id: null,
    });
    expect(await program.next(RESULT)).toMatchObject({
      subtype: 'success',
      is_error: false,
      duration_ms: expect.any(Number),
      duration_api_ms: expect.any(Number),
      num_turns: 1,
      session_id: expect.any(String),
      result: 'Hello from the model.',
    });
    program.endInput();
    expect(await program.exited).toEqual({ code: 0, signal: null });
    // An empty system prompt is how both say that the app chose none: the model still learns who it is.
    const [system] = fixture.model.requests[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system', content: expect.stringMatching(/\S/) });
  },
);

test('a thinking block has a signature, and partial messages have what their reader needs', async () => {
  verifies('GAP-40');
  await using fixture = await openFixture(() => [says('never')]);
  const chunk = (delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const chunks = [
    chunk({ role: 'assistant', reasoning_content: 'Let me think.' }),
    chunk({ content: 'Done.' }),
    chunk({}, 'stop'),
    'data: [DONE]\n\n',
  ];
  await using server = await startByteServer([{ chunks }]);
  const args = [...PYTHON_ARGUMENTS, '--openai-base-url', `${server.url}/v1`, '--include-partial-messages'];
  const program = await fixture.start('python', args);
  await replay(program, 'python-query');
  expect(await program.next({ type: 'stream_event' })).toMatchObject({
    uuid: expect.any(String),
    session_id: expect.any(String),
    event: { type: 'message_start' },
  });
  expect(await program.next({ type: 'assistant' })).toMatchObject({
    message: {
      content: [
        { type: 'thinking', thinking: 'Let me think.', signature: expect.any(String) },
        { type: 'text', text: 'Done.' },
      ],
    },
  });
});

test.each([
  ['python', ['--permission-prompt-tool', 'stdio', ...PYTHON_ARGUMENTS]],
  ['typescript', [...TYPESCRIPT_ARGUMENTS, '--permission-prompt-tool=stdio']],
] as const)('%s: a permission question is answered in its format', async (language, args) => {
  verifies('M-38', 'M-42');
  await using fixture = await openFixture((workspace) => [
    calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' }, id: 'c1' }),
    says('done'),
  ]);
  const program = await fixture.start(language, args);
  await replay(program, `${language}-query`);
  const question = await program.next({ type: 'control_request' });
  expect(question['request']).toMatchObject({
    subtype: 'can_use_tool',
    tool_name: 'Write',
    canonical_tool_name: 'write_file',
    tool_use_id: 'c1',
    input: { content: 'written' },
  });
  const { permission_suggestions: suggestions, input } = question['request'] as Record<string, unknown>;
  // Its parser takes PermissionUpdate objects and nothing else.
  expect(suggestions).toBeInstanceOf(Array);
  for (const suggestion of suggestions as { type: string }[]) {
    expect(['addRules', 'replaceRules', 'removeRules', 'setMode', 'addDirectories', 'removeDirectories']).toContain(
      suggestion.type,
    );
  }
  program.send(success(question['request_id'], { behavior: 'allow', updatedInput: input, toolUseID: 'c1' }));
  expect(await program.next(RESULT)).toMatchObject({ result: 'done' });
  expect(await fixture.workspace.read('note.txt')).toBe('written');
});

test.each([
  ['python', ['--permission-prompt-tool', 'stdio', ...PYTHON_ARGUMENTS]],
  ['typescript', [...TYPESCRIPT_ARGUMENTS, '--permission-prompt-tool=stdio']],
] as const)('%s: the app answers a question of the model', async (language, args) => {
  const options = [{ label: 'Red', preview: '# Red' }, { label: 'Blue' }];
  await using fixture = await openFixture(() => [
    calls({ name: 'AskUserQuestion', input: { questions: [{ question: 'Which?', options }] }, id: 'c1' }),
    (request) => says(lastText(request)),
  ]);
  const program = await fixture.start(language, args);
  await replay(program, `${language}-query`);
  const question = await program.next({ type: 'control_request' });
  const { input } = question['request'] as { input: object };
  expect(question['request']).toMatchObject({ subtype: 'can_use_tool', tool_name: 'AskUserQuestion' });
  // Apps read all members without a check.
  expect(input).toEqual({
    questions: [
      {
        question: 'Which?',
        header: '',
        multiSelect: false,
        options: [
          { label: 'Red', description: '', preview: '# Red' },
          { label: 'Blue', description: '' },
        ],
      },
    ],
  });
  const annotations = { 'Which?': { preview: '# Red', notes: 'dark' } };
  const updatedInput = { ...input, answers: { 'Which?': 'Red' }, annotations };
  program.send(success(question['request_id'], { behavior: 'allow', updatedInput, toolUseID: 'c1' }));
  expect(await program.next(RESULT)).toMatchObject({ result: 'Which?\nRed\nNotes: dark' });
});

test('the model cannot ask if the app has no callback', async () => {
  await using fixture = await openFixture(() => [says('done')]);
  const program = await fixture.start('typescript', TYPESCRIPT_ARGUMENTS);
  await replay(program, 'typescript-query');
  await program.next(RESULT);
  expect(fixture.model.requests[0]?.tools?.map((tool) => tool.function.name)).not.toContain('ask_user_question');
});

test('an error as the answer to a question is a denial', async () => {
  verifies('M-50');
  await using fixture = await openFixture((workspace) => [
    calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' } }),
    says('then not'),
  ]);
  const program = await fixture.start('typescript', TYPESCRIPT_ARGUMENTS);
  await replay(program, 'typescript-query');
  const { request_id: requestId } = await program.next({ type: 'control_request' });
  const error = 'canUseTool callback is not provided.';
  program.send({ type: 'control_response', response: { subtype: 'error', request_id: requestId, error } });
  expect(await program.next(RESULT)).toMatchObject({ permission_denials: [{ tool_name: 'Write' }] });
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
});

import { type Answer, call, end, type Outcome, runQwen, type Turn, text } from './run-qwen.ts';

export interface Scenario {
  readonly question: string;
  /** Of 2026-11-22: qwen before this page, qwen-code 0.15.10 and pi 0.73.1. `-`: not tried. */
  readonly others: readonly [before: string, qwenCode: string, pi: string];
  /** Waits are divided by `haste`. */
  readonly run: (haste: number) => Promise<boolean>;
}

const HELLO: Turn = { payloads: [text('Hello.'), ...end()] };
const says = ({ code, stdout }: Outcome, words = 'Hello.') => code === 0 && stdout.trim().endsWith(words);
const refusal = (status: number, message: string, headers: Readonly<Record<string, string>> = {}): Turn => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ error: { message } }),
});
const APPEND = call('run_shell_command', { command: 'echo once >> log.txt' });
const FILES = { 'code.txt': 'start\n    if ready:\n        go()\nend\n' };

function scenario(question: string, others: Scenario['others'], run: Scenario['run']): Scenario {
  return { question, others, run };
}

/** The model calls a tool this way, then answers. Passes if the file is as wanted. */
function tool(
  question: string,
  others: Scenario['others'],
  way: { readonly turn: Turn; readonly wanted: string },
): Scenario {
  return scenario(question, others, async () => {
    const outcome = await runQwen([way.turn, HELLO], { files: FILES, read: 'code.txt' });
    return says(outcome) && outcome.file === way.wanted;
  });
}

const fails = ({ code, stdout }: Outcome) => code !== 0 && stdout.trim() === '';
const write = (content: unknown, name = 'write_file'): Turn => ({
  payloads: [call(name, { file_path: 'code.txt', content }), ...end('tool_calls')],
});
const written = (args: string, name = 'write_file'): Turn => ({ payloads: [call(name, args), ...end('tool_calls')] });
const asText = (words: string): Turn => ({ payloads: [text(words), ...end()] });

const BIG_FILES = Object.fromEntries(
  Array.from({ length: 6 }, (_, index) => [`big${index}.txt`, 'some words of a long file\n'.repeat(2_000)]),
);
const readsBigFile = (number: number): Turn => ({
  payloads: [call('read_file', { file_path: `big${number % 6}.txt` }), ...end('tool_calls')],
});
/** An image of one pixel. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const SCENARIOS: readonly Scenario[] = [
  scenario('First byte after 65 s', ['no', 'yes', 'yes'], async (haste) =>
    says(await runQwen([{ ...HELLO, beforeMs: 65_000 / haste }])),
  ),
  scenario('130 s of thinking, with a comment every 10 s', ['no', 'yes', 'yes'], async (haste) => {
    const comments = Array.from({ length: 13 }, () => ({ waitMs: 10_000 / haste, bytes: ': alive\n\n' }));
    return says(await runQwen([{ ...HELLO, comments }]));
  }),
  scenario('429 with Retry-After 70', ['no', 'yes', 'yes'], async (haste) =>
    says(await runQwen([refusal(429, 'slow down', { 'retry-after': String(Math.ceil(70 / haste)) }), HELLO])),
  ),
  scenario('503 for 25 s', ['no', 'yes', 'no'], async (haste) => {
    const untilMs = performance.now() + 25_000 / haste;
    return says(await runQwen((): Turn => (performance.now() < untilMs ? refusal(503, 'down') : HELLO)));
  }),
  scenario('A reset in the middle of a text', ['no', 'no', 'yes'], async () =>
    says(await runQwen([{ payloads: [text('Hel')], ending: 'reset' }, HELLO])),
  ),
  scenario('A reset in the middle of a call; the tool runs once', ['no', 'no', 'yes'], async () => {
    const turns: Turn[] = [
      { payloads: [APPEND], ending: 'reset' },
      { payloads: [APPEND, ...end('tool_calls')] },
      HELLO,
    ];
    const outcome = await runQwen(turns, { read: 'log.txt' });
    return says(outcome) && outcome.file === 'once\n';
  }),
  scenario('One empty answer is asked again', ['no', 'yes', 'no'], async () =>
    says(await runQwen([{ payloads: end() }, HELLO])),
  ),
  scenario('Only empty answers: an error, not success', ['no', '-', 'no'], async () =>
    fails(await runQwen([{ payloads: end() }])),
  ),
  scenario('Only reasoning: an error, not success', ['no', '-', '-'], async () =>
    fails(
      await runQwen([
        { payloads: [JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: 'Hm.' } }] }), ...end()] },
      ]),
    ),
  ),
  scenario('A text that is cut at the token limit is continued', ['no', '-', '-'], async () =>
    says(await runQwen([{ payloads: [text('Hel'), ...end('length')] }, asText('lo.')])),
  ),
  scenario('400 for stream_options', ['no', '-', '-'], async () =>
    says(
      await runQwen(
        (_number, body): Turn =>
          body.includes('stream_options') ? refusal(400, 'Unknown parameter: stream_options') : HELLO,
      ),
    ),
  ),
  scenario('An HTML page instead of an answer: an error at once', ['-', '-', '-'], async () => {
    const page: Turn = { headers: { 'content-type': 'text/html' }, body: '<html><title>Sign in</title></html>' };
    const outcome = await runQwen([page]);
    return fails(outcome) && outcome.requests === 1;
  }),
  scenario('An endpoint that never sends a finish reason', ['no', '-', '-'], async () =>
    says(await runQwen([{ payloads: [text('Hello.'), '[DONE]'] }])),
  ),
  scenario('Anthropic Messages', ['no', 'yes', 'yes'], async () => {
    const payloads = [
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } },
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_stop' },
    ].map((payload) => JSON.stringify(payload));
    return says(await runQwen([{ payloads }], { protocol: 'anthropic' }));
  }),
  scenario('OpenAI Responses', ['no', 'yes', 'yes'], async () => {
    const payloads = [
      { type: 'response.output_text.delta', output_index: 0, delta: 'Hello.' },
      { type: 'response.completed', response: { id: 'r', status: 'completed' } },
    ].map((payload) => JSON.stringify(payload));
    return says(await runQwen([{ payloads }], { protocol: 'openai-responses' }));
  }),
  scenario('120 model calls in one turn', ['no', 'yes', 'yes'], async () => {
    const looks = (number: number): Turn => ({
      payloads: [call('read_file', { file_path: `file${number}.txt` }), ...end('tool_calls')],
    });
    const files = Object.fromEntries(
      Array.from({ length: 121 }, (_, index) => [`file${index}.txt`, `text ${index}\n`]),
    );
    return says(await runQwen((number) => (number <= 120 ? looks(number) : HELLO), { files }));
  }),
  scenario('A window of 32k without usage: the conversation is compacted', ['no', '-', '-'], async () => {
    const sizes: number[] = [];
    const turn: Answer = (number, body) => {
      sizes.push(body.length);
      if (body.includes('<transcript>')) return asText('Summary of the work so far.');
      return number < 12 ? readsBigFile(number) : HELLO;
    };
    const outcome = await runQwen(turn, { files: BIG_FILES, args: ['--context-window', '32000'] });
    return says(outcome) && Math.max(...sizes) < 32_000 * 4;
  }),
  scenario('Eight compactions keep all 60 requirements of the first message', ['no', '-', '-'], async () => {
    const requirements = Array.from(
      { length: 60 },
      (_, index) => `Requirement ${index}: the value is ${index * 7919}.`,
    );
    let [summaries, last] = [0, ''];
    const outcome = await runQwen(
      (number, body): Turn => {
        if (body.includes('<transcript>')) summaries += 1;
        else last = body;
        if (body.includes('<transcript>')) return asText(`Summary ${summaries} of the work so far.`);
        return summaries < 8 ? readsBigFile(number) : HELLO;
      },
      { prompt: requirements.join('\n'), files: BIG_FILES, args: ['--context-window', '32000'] },
    );
    return says(outcome) && summaries >= 8 && requirements.every((line) => last.includes(line));
  }),
  scenario('A request that the provider refuses as too long is compacted', ['no', '-', '-'], async () => {
    const outcome = await runQwen(
      (number, body): Turn => {
        if (body.includes('<transcript>')) return asText('Summary of the work so far.');
        if (body.length > 200_000) return refusal(400, 'prompt is too long: 60000 tokens > 50000 maximum');
        return number < 15 ? readsBigFile(number) : HELLO;
      },
      { files: BIG_FILES, args: ['--context-window', '1000000'] },
    );
    return says(outcome);
  }),
  scenario('An image that the provider refused is not sent again', ['no', '-', '-'], async () => {
    let refused = 0;
    const outcome = await runQwen(
      (number, body): Turn => {
        if (number === 1) return { payloads: [call('read_file', { file_path: 'dot.png' }), ...end('tool_calls')] };
        if (body.includes('image_url')) refused += 1;
        if (body.includes('image_url')) return refusal(400, 'This model does not support image input.');
        return number < 5 ? { payloads: [call('read_file', { file_path: 'code.txt' }), ...end('tool_calls')] } : HELLO;
      },
      { files: { ...FILES, 'dot.png': DOT } },
    );
    return says(outcome) && refused === 1;
  }),
  scenario('Two calls in turn, forever: an error', ['no', '-', '-'], async () => {
    const outcome = await runQwen(
      (number): Turn => ({
        payloads: [call('read_file', { file_path: number % 2 === 0 ? 'code.txt' : 'dot.txt' }), ...end('tool_calls')],
      }),
      { files: { ...FILES, 'dot.txt': '.\n' } },
    );
    return fails(outcome) && outcome.requests < 40;
  }),
  tool('An edit with another indentation', ['no', '-', '-'], {
    turn: {
      payloads: [
        call('read_file', { file_path: 'code.txt' }),
        JSON.stringify({
          choices: [
            {
              index: 0,
              delta: {
                tool_calls: [
                  {
                    index: 1,
                    id: 'c2',
                    function: {
                      name: 'edit',
                      arguments: JSON.stringify({
                        file_path: 'code.txt',
                        old_string: 'if ready:\n    go()',
                        new_string: 'if ready:\n    wait()',
                      }),
                    },
                  },
                ],
              },
            },
          ],
        }),
        ...end('tool_calls'),
      ],
    },
    wanted: 'start\n    if ready:\n        wait()\nend\n',
  }),
  tool('Arguments with a trailing comma', ['no', '-', '-'], {
    turn: written('{"file_path":"code.txt","content":"new\\n",}'),
    wanted: 'new\n',
  }),
  tool('Arguments that are encoded twice', ['no', '-', '-'], {
    turn: written(JSON.stringify(JSON.stringify({ file_path: 'code.txt', content: 'new\n' }))),
    wanted: 'new\n',
  }),
  tool('null for an absent argument', ['no', '-', '-'], {
    turn: written('{"command":"printf new > code.txt","timeout":null}', 'run_shell_command'),
    wanted: 'new',
  }),
  tool('A number as text', ['no', '-', '-'], {
    turn: written('{"command":"printf new > code.txt","timeout":"5000"}', 'run_shell_command'),
    wanted: 'new',
  }),
  tool('The tool name functions.write_file', ['no', '-', '-'], {
    turn: write('new\n', 'functions.write_file'),
    wanted: 'new\n',
  }),
  tool('Half a call never runs', ['yes', '-', 'no'], {
    turn: { payloads: [call('write_file', '{"file_path":"code.txt","content":"ha'), ...end('length')] },
    wanted: FILES['code.txt'],
  }),
  tool('A call as text (Hermes)', ['no', '-', '-'], {
    turn: asText(
      '<tool_call>\n{"name": "write_file", "arguments": {"file_path": "code.txt", "content": "new\\n"}}\n</tool_call>',
    ),
    wanted: 'new\n',
  }),
  tool('A call as text (Qwen3-Coder)', ['no', '-', '-'], {
    turn: asText(
      '<tool_call>\n<function=write_file>\n<parameter=file_path>\ncode.txt\n</parameter>\n<parameter=content>\nnew\n</parameter>\n</function>\n</tool_call>',
    ),
    wanted: 'new',
  }),
  tool('A call as text (XML elements)', ['-', '-', '-'], {
    turn: asText(
      '<tool_call>\n<name>write_file</name>\n<arguments>\n<file_path>code.txt</file_path>\n<content>new</content>\n</arguments>\n</tool_call>',
    ),
    wanted: 'new',
  }),
  tool('A call as text (Llama, a list in Python)', ['-', '-', '-'], {
    turn: asText('[write_file(file_path="code.txt", content="new\\n")]'),
    wanted: 'new\n',
  }),
  tool('A call as text (ReAct)', ['-', '-', '-'], {
    turn: asText(
      'Thought: I write it.\nAction: write_file\nAction Input: {"file_path": "code.txt", "content": "new\\n"}',
    ),
    wanted: 'new\n',
  }),
  scenario('An example of a call in a code block does not run', ['-', '-', '-'], async () => {
    const example =
      '```\n<tool_call>\n{"name": "write_file", "arguments": {"file_path": "code.txt", "content": "new\\n"}}\n</tool_call>\n```';
    const outcome = await runQwen([asText(`Write it like this:\n\n${example}`)], { files: FILES, read: 'code.txt' });
    return says(outcome, example) && outcome.file === FILES['code.txt'];
  }),
];

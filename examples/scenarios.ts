// The scripted model's answers for each example, so that examples run without a key or a network.
import { calls, lastText, type ScriptedReply, says } from '@qwen/testkit';

export interface Scenario {
  /** Files in the workspace of the example. */
  readonly files?: Readonly<Record<string, string>>;
  readonly replies: readonly ScriptedReply[];
  /** Whether the example needs a `qwen serve` in its workspace. */
  readonly server?: true;
  /** Programs without which the example cannot run. */
  readonly needs?: readonly string[];
  /** Tokens per second. Default: as fast as possible. */
  readonly tokensPerSecond?: number;
  /** Lines that the example must print. */
  readonly prints: readonly string[];
  /** Expected files at the end. */
  readonly leaves?: Readonly<Record<string, string>>;
}

const COUNTING = Array.from({ length: 4000 }, (_, index) => index + 1).join('\n');

/** Two concurrent conversations, each answered from its own messages. */
const coffeeTalk: ScriptedReply = (request) =>
  says(JSON.stringify(request.messages).includes('haiku') ? 'Steam, then silence.' : 'Enough.');

export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  '01-one-prompt': {
    replies: [says('A README and nothing else.')],
    prints: ['A README and nothing else.'],
  },
  '02-streaming': {
    replies: [says('A pipe carries bytes from one process to another, in order.')],
    prints: ['A pipe carries bytes from one process to another, in order.'],
  },
  '03-permission-callback': {
    files: { 'greeting.txt': 'Helo, world\n' },
    replies: [
      calls({ name: 'read_file', input: { file_path: 'greeting.txt' } }),
      calls({ name: 'edit', input: { file_path: 'greeting.txt', old_string: 'Helo', new_string: 'Hello' } }),
      calls({ name: 'run_shell_command', input: { command: 'rm -rf /tmp/cache' } }),
      says('The typo is fixed. I was not allowed to delete the folder.'),
    ],
    prints: [
      'denied: run_shell_command',
      'The typo is fixed. I was not allowed to delete the folder.',
      'calls that were denied: 1',
    ],
    leaves: { 'greeting.txt': 'Hello, world\n' },
  },
  '04-in-process-tool': {
    replies: [
      calls({ name: 'mcp__shop__stock_of', input: { coffee: 'espresso' } }),
      (request) => says(`We have ${lastText(request)}.`),
    ],
    prints: ['We have 14 bags of espresso.'],
  },
  '05-multi-turn': {
    replies: [
      says('Noted.'),
      (request) => says(JSON.stringify(request.messages).includes('number 7') ? 'It was 7.' : 'I forgot.'),
    ],
    prints: ['Noted.', 'It was 7.'],
  },
  '06-interrupt': {
    replies: [says(COUNTING), says('Hello!')],
    tokensPerSecond: 200,
    prints: ['stopped', 'Hello!'],
  },
  '07-hooks': {
    files: { 'version.txt': '1.0\n' },
    replies: [
      calls({ name: 'run_shell_command', input: { command: 'rm -rf build' } }),
      calls({ name: 'write_file', input: { file_path: 'version.txt', content: '1.1\n' } }),
      (request) => says(JSON.stringify(request.messages).includes('was formatted') ? 'Done.' : 'No hook ran.'),
      (request) =>
        says(JSON.stringify(request.messages).includes('Report the test results') ? 'The tests pass.' : 'Done.'),
    ],
    prints: ['guard: {"command":"rm -rf build"}', 'not yet: the tests have not run', 'The tests pass.'],
  },
  '08-subagents': {
    files: { 'notes.txt': 'Teh end.\n' },
    replies: [
      calls({
        name: 'task',
        input: { description: 'review', prompt: 'Review notes.txt.', subagent_type: 'reviewer' },
      }),
      calls({ name: 'read_file', input: { file_path: 'notes.txt' }, id: 'call_2' }),
      says('Line 1: "Teh" should be "The".'),
      (request) => says(`The reviewer says: ${lastText(request).split('\n')[0]}`),
    ],
    prints: ['the reviewer uses read_file', 'The reviewer says: Line 1: "Teh" should be "The".'],
  },
  '09-external-mcp': {
    replies: [calls({ name: 'mcp__guarded__whoami', input: {} }), (request) => says(`You are ${lastText(request)}.`)],
    prints: ['sign in to guarded', 'You are somebody.'],
  },
  '10-structured-output': {
    files: { 'todo.txt': 'dishes, two hours of taxes\n' },
    replies: [
      calls({ name: 'read_file', input: { file_path: 'todo.txt' } }),
      calls({ name: 'structured_output', input: { title: 'Saturday', chores: [{ what: 'dishes', hours: 'half' }] } }),
      (request) =>
        lastText(request).includes('/chores/0/hours must be number')
          ? calls({
              name: 'structured_output',
              input: {
                title: 'Saturday',
                chores: [
                  { what: 'dishes', hours: 0.5 },
                  { what: 'taxes', hours: 2 },
                ],
              },
            })
          : says('Nobody told me what was wrong.'),
    ],
    prints: ['Saturday: 2 chores, 2.5 hours', 'tool calls left: 19'],
  },
  '11-sessions': {
    replies: [
      says('Minka.'),
      (request) => says(JSON.stringify(request.messages).includes('Minka') ? 'Mirka.' : 'I forgot.'),
      (request) => says(JSON.stringify(request.messages).includes('sister') ? 'About sisters.' : 'About one cat.'),
    ],
    prints: ['Mirka.', 'The cat', 'About one cat.', 'sessions: 1, messages of the first: 4'],
  },
  '12-testing-your-app': {
    replies: [],
    prints: ['the rules hold', 'a crash is an error with a code'],
  },
  '19-qwen-session': {
    replies: [
      calls({ name: 'stock_of', input: { coffee: 'espresso' } }),
      (request) => says(`There are ${lastText(request)}.`),
      coffeeTalk,
      coffeeTalk,
    ],
    prints: [
      'suggested: stats',
      'runs: stock_of',
      'counter: There are 14 bags.',
      '/stats: message',
      'counter: Enough.',
      'back-room: Steam, then silence.',
      'alive: ok',
    ],
  },
  '20-ask': {
    files: { 'notes.txt': 'Buy milk.\n' },
    replies: [
      calls({ name: 'read_file', input: { file_path: 'notes.txt' } }),
      says('A note about milk.'),
      (request) => says(JSON.stringify(request.messages).includes('about milk') ? 'Milk, only milk.' : 'I forgot.'),
    ],
    prints: ['A note about milk.', 'calls of the model: 2', 'Milk, only milk.'],
  },
  '21-ai-sdk': {
    files: { 'notes.txt': 'Buy milk.\n' },
    replies: [calls({ name: 'read_file', input: { file_path: 'notes.txt' } }), says('A note about milk.')],
    prints: ['runs: read_file', 'A note about milk.'],
  },
  '22-session-store': {
    replies: [
      says('I will.'),
      (request) => says(JSON.stringify(request.messages).includes('Remember: 42') ? 'The number is 42.' : 'I forgot.'),
    ],
    prints: ['I will.', 'The number is 42.'],
  },
  '23-sandbox': {
    needs: ['bwrap', 'curl'],
    files: { 'a.txt': 'one\ntwo\n' },
    replies: [
      calls({ name: 'run_shell_command', input: { command: 'wc -l <a.txt | tee counts.txt' } }),
      calls({ name: 'run_shell_command', input: { command: 'curl http://tracker.example/' } }),
      (request) => says(lastText(request).includes('tracker.example') ? 'The report was blocked.' : 'Reported.'),
    ],
    prints: ['sandbox: workspace-write', 'denied: tracker.example', 'The report was blocked.'],
    leaves: { 'counts.txt': '2\n' },
  },
  '24-rewind': {
    files: { 'menu.txt': 'Espresso\nTea\n' },
    replies: [
      calls({ name: 'edit', input: { file_path: 'menu.txt', old_string: 'Espresso\n', new_string: '' } }),
      says('Tea only.'),
      (request) => says(JSON.stringify(request.messages).includes('Shorten') ? 'Not rewound.' : 'Espresso.'),
    ],
    prints: ['Tea only.', 'changes: +1 -0 lines', 'rewound: Shorten menu.txt.', 'Espresso.'],
    leaves: { 'menu.txt': 'Espresso\nTea\n' },
  },
  '25-telemetry': {
    files: { 'menu.txt': 'Espresso\nTea\n' },
    replies: [calls({ name: 'read_file', input: { file_path: 'menu.txt' } }), says('A café.')],
    prints: ['A café.', 'qwen.session', '    execute_tool read_file'],
  },
  '17-remote-query': {
    server: true,
    files: { 'menu.md': '- Espresso: ask at the bar\n' },
    replies: [
      calls({ name: 'mcp__till__price_of', input: { drink: 'espresso' } }),
      calls({ name: 'read_file', input: { file_path: 'menu.md' } }),
      calls({ name: 'edit', input: { file_path: 'menu.md', old_string: 'ask at the bar', new_string: '2.40 EUR' } }),
      says('The menu shows the price.'),
    ],
    prints: ['asked here: the price of espresso', 'allowed here: edit menu.md', 'The menu shows the price.'],
    leaves: { 'menu.md': '- Espresso: 2.40 EUR\n' },
  },
};

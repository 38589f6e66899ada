// A tiny MCP server on stdin and stdout for tests of what servers do wrong; its one argument says what.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

const fault = process.argv[2] ?? 'none';
const say = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words) => ({ content: [{ type: 'text', text: words }] });

if (fault === 'exits') {
  process.stderr.write('no database\u001b[31m here\n');
  process.exit(7);
}
if (fault === 'never leaves') {
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1000);
}
if (fault === 'noise') {
  process.stdout.write('Server starting...\n{"level":"info"}\n');
}
if (fault === 'stderr flood') {
  const block = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 100; count += 1) process.stderr.write(`${block}\n`);
}
if (fault === 'leaves a child') spawn('sleep', ['1000'], { stdio: 'inherit' });

const names = ['lists', 'storm', 'echo', 'environment', 'where', 'die', 'hang', 'progress', 'much', 'pid', 'ask'];
const { WORDS_FILE: wordsFile } = process.env;
// The file holds the description of `echo`, or as JSON `echo`: more members, and `added`: more tools.
const words = wordsFile === undefined ? () => 'Says it again.' : () => readFileSync(wordsFile, 'utf8');
const changes = (wanted) => (wanted.startsWith('{') ? JSON.parse(wanted) : { echo: { description: wanted } });
const plain = () => {
  const { echo = {}, added = [] } = changes(words());
  return [...names, ...added].map((name) => ({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object' },
    ...(name === 'echo' && { description: 'Says it again.', ...echo }),
  }));
};
const tools = {
  endless: () => [{ name: `tool_${Math.random()}`, inputSchema: { type: 'object' } }],
  'ten thousand': () =>
    Array.from({ length: 10_000 }, (_, at) => ({ name: `tool_${at}`, inputSchema: { type: 'object' } })),
  'long words': () => [{ name: 'echo', description: 'x'.repeat(5_000_000), inputSchema: { type: 'object' } }],
};
const listed = tools[fault] ?? plain;
const DISCOVERED = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
};
let lists = 0;
const asked = new Map();

function call({ name, arguments: input, _meta }, id) {
  switch (name) {
    case 'echo':
    case 'later':
      return text(JSON.stringify(input));
    case 'environment':
      return text(JSON.stringify(process.env));
    case 'where':
      return text(process.cwd());
    case 'pid':
      return text(String(process.pid));
    case 'die':
      process.stderr.write('out of memory\n');
      process.exit(9);
      break;
    case 'progress':
      setInterval(() => {
        const params = { progressToken: _meta?.progressToken, progress: Date.now() };
        say({ method: 'notifications/progress', params });
      }, 20);
      break;
    case 'much':
      return text('x'.repeat(17 * 1024 * 1024));
    case 'ask':
      // It asks the user what the input says, and answers with what it was told.
      say({ id: `ask ${id}`, method: 'elicitation/create', params: input });
      asked.set(`ask ${id}`, id);
      break;
    case 'lists':
      return text(String(lists));
    case 'storm':
      for (let count = 0; count < 1000; count += 1) say({ method: 'notifications/tools/list_changed' });
      return text('done');
  }
  if (name === 'hang') process.stderr.write(`hanging ${id}\n`);
  return undefined;
}

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) take(JSON.parse(line));
});

function take({ id, method, params, ...answer }) {
  if (fault === 'mute') return;
  if (asked.has(id)) say({ id: asked.get(id), result: text(JSON.stringify(answer.result ?? answer.error)) });
  if (method === 'initialize' && fault === 'late') {
    setTimeout(
      () => say({ id, error: { code: -32022, message: 'too old', data: { supported: ['2026-07-28'] } } }),
      4000,
    );
  } else if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } };
    const { protocolVersion } = params;
    say({ id, result: { protocolVersion, capabilities, serverInfo: { name: 'test', version: '1' } } });
  } else if (method === 'tools/list') {
    lists += 1;
    if (fault === 'mute list') return;
    say({ id, result: { tools: listed(), ...(fault === 'endless' && { nextCursor: String(lists) }) } });
  } else if (method === 'tools/call') {
    const result = call(params, id);
    if (result !== undefined) say({ id, result });
  } else if (method === 'notifications/cancelled') {
    process.stderr.write(`cancelled ${params.requestId}\n`);
  } else if (method === 'server/discover' && fault === 'exits at discover') process.exit(3);
  else if (method === 'server/discover' && fault === 'late') {
    // Long after it was asked, and as a modern server that refuses what came meanwhile.
    setTimeout(() => say({ id, result: DISCOVERED }), 4000);
  } else if (id !== undefined && method !== undefined && fault !== 'ignores unknown') {
    say({ id, error: { code: -32601, message: `no method ${method}` } });
  }
}

import type { CliMcpServerConfig } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { readEndpoint } from './endpoint.js';

const remote = (kind: string, url: string, headers = {}) => ({ kind, url: new URL(url), headers });

test.each<[CliMcpServerConfig, object]>([
  [{ command: 'x' }, { kind: 'stdio', command: 'x', args: [], env: {} }],
  [
    { type: 'stdio', command: 'x', args: ['a'], env: { A: '1' }, cwd: 'sub' },
    { kind: 'stdio', command: 'x', args: ['a'], env: { A: '1' }, cwd: 'sub' },
  ],
  [{ url: 'https://a.example/sse' }, remote('sse', 'https://a.example/sse')],
  [{ httpUrl: 'https://a.example/mcp', headers: { A: '1' } }, remote('http', 'https://a.example/mcp', { A: '1' })],
  [{ type: 'http', url: 'http://a.example/' }, remote('http', 'http://a.example/')],
  [{ type: 'streamable-http', url: 'http://a.example/' }, remote('http', 'http://a.example/')],
  [{ type: 'sse', url: 'http://a.example/' }, remote('sse', 'http://a.example/')],
  [{ url: 'ws://a.example/' }, remote('websocket', 'ws://a.example/')],
  [{ type: 'ws', url: 'wss://a.example/' }, remote('websocket', 'wss://a.example/')],
  [{ tcp: 'ws://a.example:9/' }, remote('websocket', 'ws://a.example:9/')],
  [{ tcp: 'localhost:9000' }, { kind: 'tcp', host: 'localhost', port: 9000 }],
  [{ tcp: 'tcp://[::1]:9000' }, { kind: 'tcp', host: '::1', port: 9000 }],
])('%j', (config, endpoint) => {
  verifies('O-36', 'O-37');
  expect(readEndpoint('a', config)).toEqual(endpoint);
});

test.each<[CliMcpServerConfig, string]>([
  [{}, 'exactly one of'],
  [{ command: 'x', url: 'http://a' }, 'exactly one of'],
  [{ command: ' ' }, '.command'],
  [{ command: 'x', args: ['a\0b'] }, '.command'],
  [{ type: 'http', command: 'x' }, '.type'],
  [{ type: 'pigeon', url: 'http://a' }, '.type'],
  [{ url: 'no address' }, '.url'],
  [{ httpUrl: 'file:///etc/passwd' }, '.httpUrl'],
  [{ url: 'https://me:secret@a.example' }, '.url'],
  [{ type: 'ws', url: 'https://a.example' }, '.url'],
  [{ tcp: 'a:0' }, '.tcp'],
  [{ tcp: 'a:99999' }, '.tcp'],
])('%j is refused', (config, expected) => {
  const read = () => readEndpoint('mine', config);
  expect(read).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  expect(read).toThrow(`mcpServers.mine${expected.startsWith('.') ? expected : ''}`);
  expect(read).not.toThrow('secret');
});

// A server of the reference library, on stdin and stdout or, with `http`, on a port that it prints. The first argument
// says how old the clients may be: `modern` or `dual`.
import { createServer } from 'node:http';
import { createMcpHandler, fromJsonSchema, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [, , age, transport] = process.argv;
const object = (properties = {}) => fromJsonSchema({ type: 'object', properties });
const text = (words) => ({ content: [{ type: 'text', text: words }] });

function createServerOf({ era }) {
  const server = new McpServer({ name: 'era', version: '1' }, { capabilities: { tools: { listChanged: true } } });
  server.registerTool('era', { inputSchema: object() }, (_, { mcpReq }) =>
    text(JSON.stringify({ era, traceparent: mcpReq._meta?.traceparent })),
  );
  server.registerTool('ask', { inputSchema: object() }, (_, { mcpReq }) => {
    const { inputResponses } = mcpReq;
    if (inputResponses?.name !== undefined) return text(JSON.stringify(inputResponses));
    const properties = { name: { type: 'string' } };
    const form = inputRequired.elicit({ message: 'Who?', requestedSchema: { type: 'object', properties } });
    const page = inputRequired.elicitUrl({ message: 'Sign in', url: 'https://pay.example/now' });
    return inputRequired({ inputRequests: { name: form, page }, requestState: 'state' });
  });
  server.registerTool('grow', { inputSchema: object() }, () => {
    server.registerTool('grown', { inputSchema: object() }, () => text('grown'));
    return text('done');
  });
  const place = { type: 'string', 'x-mcp-header': 'Place' };
  server.registerTool('headers', { inputSchema: object({ place }) }, (_, { http }) =>
    text(http?.req?.headers?.get('mcp-param-place') ?? 'none'),
  );
  return server;
}

const legacy = age === 'dual' ? undefined : 'reject';
if (transport === 'http') {
  const handler = createMcpHandler(createServerOf, legacy === undefined ? {} : { legacy });
  const server = createServer((request, response) => void respond(request, response));
  const respond = async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = request.method === 'POST' ? Buffer.concat(chunks) : undefined;
    const answer = await handler.fetch(
      new Request(`http://127.0.0.1${request.url}`, {
        ...request,
        body,
        method: request.method,
        headers: request.headers,
      }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body !== null) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  };
  server.listen(0, '127.0.0.1', () => process.stdout.write(`${server.address().port}\n`));
  process.stdin.on('end', () => process.exit(0)).resume();
} else serveStdio(createServerOf, legacy === undefined ? {} : { legacy });

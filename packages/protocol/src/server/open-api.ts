import * as z from 'zod/mini';
import { contentBlockSchema } from '../content.js';
import { bareSchema, type JsonSchema } from '../json-schema-document.js';
import { lazySchema } from '../lazy-schema.js';
import { UNKNOWN_KIND } from '../open-union.js';
import { usageSchema } from '../usage.js';
import { PROTOCOL_VERSION } from '../version.js';
import { CHAT_API } from './chat-api.js';
import { type ChatRoute, chatErrorSchema, isoTimeField } from './chat-api-fields.js';
import { chatEventSchema } from './chat-events.js';
import { CLOUD_API, CLOUD_PATH } from './cloud-api.js';
import { type CloudRoute, cloudErrorSchema, cloudSessionSchema } from './cloud-api-fields.js';
import { PAGE_API } from './page-api.js';
import { publicEventSchema, streamedEventSchema, streamNoticeSchema } from './public-events.js';

const SHARED: Readonly<Record<string, z.ZodMiniType>> = {
  ChatEvent: chatEventSchema,
  PublicEvent: publicEventSchema,
  StreamNotice: streamNoticeSchema,
  StreamedEvent: streamedEventSchema,
  ContentBlock: contentBlockSchema,
  Usage: usageSchema,
  ChatError: chatErrorSchema,
  CloudError: cloudErrorSchema,
  CloudSession: cloudSessionSchema,
};

/** Failures of every route. */
const ANY_FAILURE: Readonly<Record<number, string>> = {
  400: 'The request is not JSON, or a member is invalid.',
  401: 'The server requires a token, and it is missing or wrong.',
  403: 'The host, origin or user is not allowed, or the file is protected.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  500: 'The server failed.',
  503: 'The server is shutting down, or its storage is unreachable.',
  507: 'The disk of the server is full.',
};
const TAGS = {
  health: 'Probes for monitoring.',
  session: 'Sessions and links to them.',
  chat: 'Messages, their answers and permission questions.',
  files: 'Files of the workspace of a session.',
  commands: 'Slash commands.',
  tasks: 'Background commands.',
  page: 'What the web page needs besides.',
  cloud: 'Sessions with durable events, threads and approvals.',
} as const;
type Tag = keyof typeof TAGS;

/** Sent before the request is read, with an empty body. */
const LATE: Readonly<Record<number, JsonSchema>> = { 408: { description: 'The request did not arrive in time.' } };

interface Operation {
  readonly method: string;
  readonly path: string;
  readonly tag: Tag;
  readonly route: ChatRoute;
  readonly query?: z.ZodMiniType;
  readonly error: z.ZodMiniType;
  readonly needsToken: boolean;
}

/** The OpenAPI 3.1 document of `qwen serve`, from its tables. Default `version`: that of the API. */
export function createOpenApi(version = `${PROTOCOL_VERSION}.0.0`): JsonSchema {
  const operations = [...chatOperations(), ...cloudOperations()];
  const paths: Record<string, Record<string, JsonSchema>> = { ...HEALTH };
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: toOperation(operation) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'qwen serve',
      version,
      description:
        'The routes below /api/v1/remote are internal: they connect @qwen/sdk to a server of the same version.',
      contact: { name: 'qwen', url: 'https://github.com/qwen-agent/qwen' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    servers: [{ url: '/', description: 'The server that returned this document.' }],
    paths,
    components: {
      schemas: Object.fromEntries(Object.entries(SHARED).map(([name, schema]) => [name, bodyOf(schema, name)])),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function chatOperations(): Operation[] {
  return Object.entries<ChatRoute>({ ...CHAT_API, ...PAGE_API }).map(([path, route]) => {
    return { method: 'post', path, tag: tagOf(path), route, error: chatErrorSchema, needsToken: false };
  });
}

function tagOf(path: string): Tag {
  const group = path.split('/')[2] ?? '';
  if (group === 'sessions') return 'session';
  return isTag(group) ? group : 'page';
}

function isTag(name: string): name is Tag {
  return Object.hasOwn(TAGS, name);
}

function cloudOperations(): Operation[] {
  return Object.entries<CloudRoute>(CLOUD_API).map(([name, route]) => {
    const [method = '', path = ''] = name.split(' ');
    const { query } = route;
    const place = { method: method.toLowerCase(), path: CLOUD_PATH + path, tag: 'cloud' } as const;
    return { ...place, route, query, error: cloudErrorSchema, needsToken: true };
  });
}

function toOperation({ method, path, tag, route, query, error, needsToken }: Operation): JsonSchema {
  const { meaning, request, response, form = 'json', headers = {}, failures } = route;
  const type = form === 'json' ? 'application/json' : 'text/event-stream';
  const parameters = [
    ...pathParameters(path),
    ...(query === undefined ? [] : queryParameters(query)),
    ...Object.entries(headers).map(([name, description]) => {
      return { name, in: 'header', required: false, description, schema: { type: 'string' } };
    }),
  ];
  return {
    ...describe(meaning, route.scope),
    operationId: `${method}${path.replaceAll(/[^a-z\d]+(\w)?/gi, (_, letter: string = '') => letter.toUpperCase())}`,
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(method === 'post' && { requestBody: { required: true, content: jsonContent(request) } }),
    responses: {
      ...LATE,
      200: { description: 'Success.', content: { [type]: { schema: schemaOf(response) } } },
      ...Object.fromEntries(
        Object.entries({ ...ANY_FAILURE, ...failures }).map(([status, description]) => [
          status,
          { description, content: jsonContent(error) },
        ]),
      ),
    },
    security: needsToken ? [{ token: [] }] : [{}, { token: [] }],
  };
}

/** Linters refuse names of scopes in `security` of a bearer token. */
function describe(meaning: string, scope: string): JsonSchema {
  const [summary = meaning] = meaning.split(/(?<=\.) /);
  return { summary, description: `${meaning}\n\nA token needs the scope \`${scope}\`.`, 'x-scope': scope };
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters(query: z.ZodMiniType): JsonSchema[] {
  const { properties } = bareSchema(query);
  return Object.entries(Object(properties)).map(([name, schema]) => ({ name, in: 'query', required: false, schema }));
}

function jsonContent(schema: z.ZodMiniType): JsonSchema {
  return { 'application/json': { schema: schemaOf(schema) } };
}

function schemaOf(schema: z.ZodMiniType): JsonSchema {
  const [name] = Object.entries(SHARED).find(([, shared]) => shared === schema) ?? [];
  return name === undefined ? bodyOf(schema) : { $ref: `${COMPONENTS}${name}` };
}

const COMPONENTS = '#/components/schemas/';

/** JSON Schema with references to shared schemas; `name` is set for a shared schema itself. */
function bodyOf(schema: z.ZodMiniType, name?: string): JsonSchema {
  const names = z.registry<{ readonly id: string }>();
  for (const [id, shared] of Object.entries(SHARED)) if (id !== name) names.add(shared, { id });
  const { $schema: _draft, $defs: _shared, ...body } = z.toJSONSchema(schema, { metadata: names, io: 'input' });
  return Object(JSON.parse(JSON.stringify(body).replaceAll('"#/$defs/', `"${COMPONENTS}`), withoutUnknownKinds));
}

/** Clients ignore unknown kinds. In the document they would keep generated types from narrowing the known ones. */
function withoutUnknownKinds(_key: string, value: unknown): unknown {
  const { anyOf, ...others }: JsonSchema = Object(value);
  if (!Array.isArray(anyOf)) return value;
  const known: unknown[] = anyOf.filter(
    (option) => !JSON.stringify(Object(option).properties ?? {}).includes(`"pattern":"${UNKNOWN_KIND}`),
  );
  return known.length === 1 ? { ...others, ...Object(known[0]) } : { ...others, anyOf: known };
}

const healthSchema = lazySchema(() =>
  z.object({
    status: z.literal('ok'),
    timestamp: isoTimeField,
    uptime: z.int().check(z.describe('Seconds since the server started, rounded down.')),
  }),
);
const readySchema = lazySchema(() =>
  z.object({
    status: z.literal('ready'),
    timestamp: isoTimeField,
    sessions: z.int().check(z.describe('Number of sessions.')),
  }),
);

interface Probe {
  readonly operationId: string;
  readonly summary: string;
  readonly schema: z.ZodMiniType;
  readonly failures: readonly number[];
}

const toProbe = ({ schema, failures, ...named }: Probe) => ({
  get: {
    ...named,
    description: `${named.summary} Needs no token.`,
    tags: ['health'],
    responses: {
      200: { description: 'Success.', content: jsonContent(schema) },
      ...Object.fromEntries(
        failures.map((status) => [
          status,
          { description: ANY_FAILURE[status] ?? '', content: jsonContent(chatErrorSchema) },
        ]),
      ),
    },
    security: [{}],
  },
});

const HEALTH = {
  '/health': toProbe({
    operationId: 'getHealth',
    summary: 'Reports that the process runs.',
    schema: healthSchema,
    failures: [],
  }),
  '/ready': toProbe({
    operationId: 'getReady',
    summary: 'Reports whether the server accepts work and can store it.',
    schema: readySchema,
    failures: [500, 503, 507],
  }),
};

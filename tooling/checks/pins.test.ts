import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  CONTROL_REQUESTS,
  DEFAULT_MAX_LINE_BYTES,
  DEFAULT_TIMEOUTS,
  ERROR_CODES,
  PERMISSION_MODES,
  PROTOCOL_VERSION,
  QWEN_VERSION,
} from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';

// Whoever changes one of these changes what users and other programs rely on: the literal here is the reminder.

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

test.each([
  ['protocol', ['.', './json-schema', './openai', './package.json', './server']],
  // A program: outside of this repository it is run; `./path` is where.
  ['cli', ['./package.json', './path']],
  [
    'sdk',
    [
      '.',
      './ai',
      './bundle',
      './claude',
      './claude/sdk-tools',
      './package.json',
      './stores',
      './terminal',
      './testing',
    ],
  ],
  ['server', ['.', './package.json']],
])('the published entries of @qwen/%s are pinned', (name, entries) => {
  const { publishConfig } = JSON.parse(read(`packages/${name}/package.json`));
  expect(Object.keys(publishConfig.exports).toSorted()).toEqual(entries);
  expect(JSON.stringify(publishConfig.exports)).not.toContain('@qwen/source');
});

test('all packages share one version, which the program reports', () => {
  const manifests = globSync('{packages,tooling}/*/package.json', {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  });
  const versions = manifests.map((path) => JSON.parse(read(path)).version).filter((version) => version !== undefined);
  expect(new Set(versions)).toEqual(new Set([QWEN_VERSION]));
});

test('the control table pins who sends which request', () => {
  verifies('M-01', 'M-04');
  const asks = Object.entries(CONTROL_REQUESTS).map(([subtype, { asker }]) => `${asker} ${subtype}`);
  expect(asks.toSorted()).toEqual([
    'agent can_use_tool',
    'agent confirm_action',
    'agent confirm_shell_commands',
    'agent elicitation',
    'agent hook_callback',
    'agent mcp_message',
    'agent quit_confirmation',
    'app background_tasks',
    'app continue_last_turn',
    'app delete_session',
    'app end_session',
    'app explain_permission',
    'app fork_session',
    'app get_available_models',
    'app get_context_usage',
    'app get_session_messages',
    'app get_task_output',
    'app get_usage_info',
    'app initialize',
    'app interrupt',
    'app list_sessions',
    'app list_tasks',
    'app mcp_notification',
    'app mcp_reconnect',
    'app mcp_server_status',
    'app mcp_set_servers',
    'app mcp_status',
    'app mcp_toggle',
    'app rename_session',
    'app renew_lease',
    'app rewind_conversation',
    'app rewind_files',
    'app set_effort',
    'app set_max_thinking_tokens',
    'app set_model',
    'app set_output_flow',
    'app set_permission_mode',
    'app steer',
    'app stop_task',
    'app supported_commands',
  ]);
});

test('modes, version, line limit and deadlines are pinned', () => {
  verifies('M-82', 'O-02', 'O-46', 'CF-52');
  expect(PERMISSION_MODES).toEqual(['default', 'plan', 'auto-edit', 'yolo']);
  expect(PROTOCOL_VERSION).toBe(1);
  expect(DEFAULT_MAX_LINE_BYTES).toBe(16_777_216);
  expect(DEFAULT_TIMEOUTS).toEqual({
    canUseTool: 60_000,
    controlRequest: 60_000,
    initialize: 60_000,
    mcpRequest: 60_000,
    streamClose: 60_000,
  });
});

test('every error code is pinned with its HTTP status, its exit code and whether to retry', () => {
  const table = Object.entries(ERROR_CODES).map(
    ([code, { httpStatus, exitCode, retryable }]) =>
      `${code} ${httpStatus} ${exitCode}${retryable ? ' retryable' : ''}`,
  );
  expect(table.toSorted()).toEqual([
    'aborted 499 130',
    'address_unavailable 500 1',
    'already_reading 409 1',
    'answer_cut 502 1',
    'approval_not_found 404 1',
    'auth_failed 401 1',
    'bad_model_response 502 1 retryable',
    'budget_exceeded 422 1',
    'cancelled 499 1',
    'channel_closed 503 1',
    'cli_not_found 500 1',
    'content_filtered 422 1',
    'context_overflow 413 1',
    'cwd_missing 400 1',
    'duplicate_request 409 1',
    'empty_answer 502 1',
    'file_not_found 404 1',
    'forbidden 403 1',
    'handler_failed 500 1',
    'hook_blocked 403 1',
    'hook_failed 500 1',
    'internal 500 1',
    'interrupted 499 130',
    'invalid_cursor 400 1',
    'invalid_json 400 1',
    'invalid_message 400 1',
    'invalid_options 400 2',
    'invalid_output 422 1',
    'invalid_payload 400 1',
    'invalid_request 400 1',
    'invalid_settings 400 2',
    'invalid_tool_input 400 1',
    'late_response 409 1',
    'lease_lost 409 1',
    'line_too_long 413 1',
    'loop_detected 422 1',
    'max_turns 422 1',
    'mcp_auth_required 401 1',
    'mcp_failed 502 1',
    'message_not_found 404 1',
    'method_not_allowed 405 1',
    'missing_credentials 401 1',
    'model_not_found 404 1',
    'network_unavailable 503 1 retryable',
    'origin_refused 403 1',
    'overloaded 429 1 retryable',
    'path_refused 400 1',
    'payload_too_large 413 1',
    'permission_denied 403 1',
    'permission_refused 403 1',
    'process_exited 502 1 retryable',
    'provider_error 502 1 retryable',
    'quota_exceeded 429 1 retryable',
    'rate_limited 429 1 retryable',
    'sandbox_unavailable 500 2',
    'search_timeout 504 1',
    'server_unreachable 503 1 retryable',
    'session_busy 409 1',
    'session_exists 409 1',
    'session_finished 409 1',
    'session_newer_version 409 1',
    'session_not_found 404 1',
    'shell_refused 400 1',
    'shutting_down 503 1 retryable',
    'spawn_failed 500 1',
    'stale_file 409 1',
    'storage_busy 409 1',
    'storage_damaged 500 1',
    'storage_full 507 1',
    'storage_unreachable 503 1 retryable',
    'storage_unwritable 500 1',
    'stream_interrupted 502 1 retryable',
    'stream_stalled 504 1 retryable',
    'task_not_found 404 1',
    'thread_not_found 404 1',
    'timeout 504 1 retryable',
    'tool_failed 500 1',
    'turn_failed 502 1',
    'turn_not_found 404 1',
    'unauthorized 401 1',
    'unexpected_response 409 1',
    'unknown_agent 404 1',
    'unknown_command 404 1',
    'unknown_route 404 1',
    'unknown_subtype 400 1',
    'unknown_tool 404 1',
    'unsupported_by_cli 501 1',
    'unsupported_media_type 415 1',
    'unsupported_node 500 4',
    'unsupported_protocol 400 3',
    'untrusted_folder 403 1',
    'usage 400 2',
  ]);
});

test('the environment variables that the program reads are pinned', () => {
  const list = /VARIABLES[^=]* = \{([^]*?)^\};/m.exec(read('packages/host/src/config/variables.ts'))?.[1] ?? '';
  expect([...list.matchAll(/^ {2}([A-Z_]+):/gm)].map(([, name = '']) => name).toSorted()).toEqual([
    'ALL_PROXY',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'BRAVE_API_KEY',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT',
    'COLORFGBG',
    'COLORTERM',
    'DASHSCOPE_API_KEY',
    'EDITOR',
    'FORCE_COLOR',
    'GEMINI_API_KEY',
    'GEMINI_CHANNEL',
    'GOOGLE_API_KEY',
    'GOOGLE_CLOUD_LOCATION',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'NO_COLOR',
    'NO_PROXY',
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_MODEL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_METRICS_EXPORTER',
    'OTEL_SDK_DISABLED',
    'OTEL_TRACES_EXPORTER',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'PORT',
    'QWEN_CHANNEL',
    'QWEN_HOME',
    'QWEN_MAX_LINE_BYTES',
    'QWEN_MODEL',
    'QWEN_MODEL_HEADERS',
    'QWEN_PROVIDER',
    'QWEN_SANDBOX',
    'QWEN_SANDBOX_LIMIT',
    'QWEN_SERVER_STORE',
    'QWEN_SERVER_TOKEN',
    'QWEN_TELEMETRY',
    'QWEN_TELEMETRY_CONTENT',
    'QWEN_WEB_SEARCH',
    'QWEN_WORKSPACE_ROOTS',
    'SEARXNG_URL',
    'TAVILY_API_KEY',
    'TERM',
    'TRACEPARENT',
    'TRACESTATE',
    'VISUAL',
  ]);
});

import { expect, test } from 'vitest';
import { readEnvironment } from './env.js';
import { VARIABLES } from './variables.js';

test('reads these variables and no others', () => {
  expect(Object.keys(VARIABLES)).toEqual([
    'OPENAI_API_KEY',
    'OPENAI_BASE_URL',
    'OPENAI_MODEL',
    'DASHSCOPE_API_KEY',
    'GEMINI_API_KEY',
    'GOOGLE_API_KEY',
    'GOOGLE_GEMINI_BASE_URL',
    'GOOGLE_GENAI_USE_VERTEXAI',
    'GOOGLE_CLOUD_PROJECT',
    'GOOGLE_CLOUD_LOCATION',
    'ANTHROPIC_API_KEY',
    'ANTHROPIC_BASE_URL',
    'ANTHROPIC_MODEL',
    'QWEN_PROVIDER',
    'HTTPS_PROXY',
    'HTTP_PROXY',
    'ALL_PROXY',
    'NO_PROXY',
    'QWEN_MODEL',
    'QWEN_MODEL_HEADERS',
    'QWEN_HOME',
    'QWEN_MAX_LINE_BYTES',
    'QWEN_CHANNEL',
    'GEMINI_CHANNEL',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_QUESTION_PREVIEW_FORMAT',
    'QWEN_SANDBOX',
    'QWEN_SANDBOX_LIMIT',
    'QWEN_WEB_SEARCH',
    'BRAVE_API_KEY',
    'TAVILY_API_KEY',
    'SEARXNG_URL',
    'QWEN_SERVER_TOKEN',
    'QWEN_WORKSPACE_ROOTS',
    'QWEN_SERVER_STORE',
    'PORT',
    'NO_COLOR',
    'FORCE_COLOR',
    'TERM',
    'COLORTERM',
    'COLORFGBG',
    'VISUAL',
    'EDITOR',
    'QWEN_TELEMETRY',
    'QWEN_TELEMETRY_CONTENT',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'OTEL_TRACES_EXPORTER',
    'OTEL_METRICS_EXPORTER',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_SDK_DISABLED',
    'TRACEPARENT',
    'TRACESTATE',
  ]);
});

test('values are trimmed, empty ones are ignored, and other variables are not read', () => {
  expect(readEnvironment({ OPENAI_API_KEY: ' sk \n', OPENAI_MODEL: ' ', AWS_SECRET_ACCESS_KEY: 'x' })).toEqual({
    OPENAI_API_KEY: 'sk',
  });
});

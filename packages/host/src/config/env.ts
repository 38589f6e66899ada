/** Every environment variable the program reads, in the order of `--help`. */
export const VARIABLES = {
  OPENAI_API_KEY: 'API key for an OpenAI-compatible endpoint.',
  OPENAI_BASE_URL: 'Base URL of the endpoint. Default: OpenAI. A local one needs no key.',
  OPENAI_MODEL: 'Model for that endpoint.',
  DASHSCOPE_API_KEY: 'API key for DashScope (Qwen). Never sent to another host.',
  GEMINI_API_KEY: 'API key for Gemini.',
  GOOGLE_API_KEY: 'Same as GEMINI_API_KEY.',
  GOOGLE_GEMINI_BASE_URL: 'Base URL for Gemini.',
  GOOGLE_GENAI_USE_VERTEXAI: 'true: use Gemini through Vertex AI.',
  GOOGLE_CLOUD_PROJECT: 'Vertex AI project.',
  GOOGLE_CLOUD_LOCATION: 'Vertex AI region. Default: global.',
  ANTHROPIC_API_KEY: 'API key for Claude.',
  ANTHROPIC_BASE_URL: 'Base URL for Claude or a compatible endpoint. A local one needs no key.',
  ANTHROPIC_MODEL: 'Model for that endpoint.',
  QWEN_PROVIDER: 'Provider to use, such as openrouter or one of the settings. Overridden by --provider.',
  HTTPS_PROXY: 'Proxy for model calls to https addresses. Lower case names work too.',
  HTTP_PROXY: 'Proxy for model calls to http addresses, except on this machine.',
  ALL_PROXY: 'Proxy for both.',
  NO_PROXY: 'Hosts, suffixes and networks that are called without a proxy.',
  QWEN_MODEL: 'Model to use with any provider.',
  QWEN_MODEL_HEADERS: 'Extra headers for an OpenAI-compatible endpoint, as a JSON object.',
  QWEN_HOME: 'Folder for settings, sessions and tokens. Default: ~/.qwen.',
  QWEN_MAX_LINE_BYTES: 'Maximum length of an input line, in bytes. Default: 16777216.',
  QWEN_CHANNEL: 'SDK: same as --channel SDK.',
  GEMINI_CHANNEL: 'Same as QWEN_CHANNEL, as set by the Gemini SDK.',
  CLAUDE_CODE_ENTRYPOINT: 'sdk-...: same as --channel SDK, as set by the Claude Agent SDK.',
  CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'Same as --question-previews, as set by the Claude Agent SDK.',
  QWEN_SANDBOX: 'Sandbox for commands: read-only, workspace-write or off. Overridden by --sandbox.',
  QWEN_SANDBOX_LIMIT: 'tighten: --sandbox cannot be looser than QWEN_SANDBOX and the settings. Set by qwen serve.',
  QWEN_WEB_SEARCH: 'Provider of web_search: brave, tavily, searxng or off. Overrides the settings.',
  BRAVE_API_KEY: 'API key for web_search with Brave.',
  TAVILY_API_KEY: 'API key for web_search with Tavily.',
  SEARXNG_URL: 'Address of SearXNG for web_search.',
  QWEN_SERVER_TOKEN: 'Token that clients of qwen serve must send.',
  QWEN_WORKSPACE_ROOTS:
    'JSON array of folders that must contain all additional folders. Set by qwen serve --workspace-root.',
  QWEN_SERVER_STORE: 'Store of qwen serve. Overridden by --store.',
  PORT: 'Port of qwen serve. Overridden by --port. Default: 3000.',
  NO_COLOR: 'Disable colors.',
  FORCE_COLOR: 'Force colors, also in a pipe. 0: disable them.',
  TERM: 'Type of the terminal. dumb: no colors.',
  COLORTERM: 'truecolor: the terminal supports 24-bit colors.',
  COLORFGBG: 'Terminal colors, used by the theme auto to pick light or dark.',
  VISUAL: 'Editor for prompts. Overridden by the setting ui.editor.',
  EDITOR: 'Editor for prompts if VISUAL is not set.',
  QWEN_TELEMETRY: '1: send OpenTelemetry spans and metrics; 0: never send any. Overrides the settings.',
  QWEN_TELEMETRY_CONTENT: '1: spans contain prompts, answers and the inputs and results of tools.',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'Collector URL. Default: http://localhost:4318. Other OTEL_ variables apply too.',
  OTEL_TRACES_EXPORTER: 'none: send no spans and no metrics.',
  OTEL_METRICS_EXPORTER: 'none: send no metrics.',
  OTEL_TRACES_SAMPLER: 'Sampler. Default: parentbased_always_on.',
  OTEL_TRACES_SAMPLER_ARG: 'Ratio from 0 to 1 for traceidratio.',
  OTEL_SDK_DISABLED: 'true: send no spans and no metrics.',
  TRACEPARENT: 'Parent span of this run (W3C Trace Context).',
  TRACESTATE: 'State of the parent span (W3C Trace Context).',
} as const;

export type VariableName = keyof typeof VARIABLES;

/** Empty variables count as unset. */
export type Environment = Readonly<Partial<Record<VariableName, string>>>;

export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const ours: Partial<Record<VariableName, string>> = {};
  for (const name of Object.keys(VARIABLES)) {
    // curl and others read these names in lower case first.
    const lower = name.endsWith('_PROXY') ? environment[name.toLowerCase()]?.trim() : undefined;
    const value = lower || environment[name]?.trim();
    if (isVariableName(name) && value !== undefined && value !== '') ours[name] = value;
  }
  return ours;
}

export function withVariables(environment: Environment, variables: Readonly<Record<string, string>> = {}): Environment {
  return { ...readEnvironment(variables), ...environment };
}

export function isVariableName(name: string): name is VariableName {
  return name in VARIABLES;
}

/** Every environment variable the program reads. `--help` prints this list; a test pins it. */
export const VARIABLES = {
  OPENAI_API_KEY: 'Key for an OpenAI-compatible endpoint.',
  OPENAI_BASE_URL: 'Its address, when it is not the one of OpenAI; one on this machine needs no key.',
  OPENAI_MODEL: 'The model to use there.',
  DASHSCOPE_API_KEY: 'Key for Qwen models on DashScope; sent to no other host.',
  GEMINI_API_KEY: 'Key for Gemini.',
  GOOGLE_API_KEY: 'The same, under its other name.',
  GOOGLE_GEMINI_BASE_URL: 'Another address for Gemini.',
  GOOGLE_GENAI_USE_VERTEXAI: 'true: reach Gemini through Vertex AI.',
  GOOGLE_CLOUD_PROJECT: 'Project for Vertex AI.',
  GOOGLE_CLOUD_LOCATION: 'Region for Vertex AI. Default global.',
  QWEN_MODEL: 'The model to use, whatever the provider.',
  QWEN_MODEL_HEADERS: 'More headers for an OpenAI-compatible endpoint, as a JSON object.',
  QWEN_HOME: 'Folder for settings, sessions and tokens. Default ~/.qwen.',
  QWEN_MAX_LINE_BYTES: 'Longest line that is read from stdin, in bytes. Default 16777216.',
  QWEN_CHANNEL: 'SDK: the same as --channel SDK.',
  GEMINI_CHANNEL: 'The same, under the name of another CLI.',
  CLAUDE_CODE_ENTRYPOINT: 'sdk-...: the same, set by the Claude Agent SDK.',
  QWEN_SERVER_TOKEN: 'Token that qwen serve asks its clients for.',
  QWEN_SERVER_STORE: 'Where qwen serve keeps its sessions, without --store.',
  PORT: 'Where qwen serve listens, without --port. Default 3000.',
  NO_COLOR: 'Text without colours.',
  FORCE_COLOR: 'Text with colours and made for a screen, also in a pipe; 0: without.',
  TERM: 'dumb: text without colours; else how many the terminal has.',
  COLORTERM: 'truecolor: the terminal has all colours.',
  COLORFGBG: 'Colours of the terminal: whether the theme auto is light or dark.',
  VISUAL: 'The editor that a prompt is opened in, without the setting ui.editor.',
  EDITOR: 'The same, where VISUAL is not set.',
  QWEN_TELEMETRY: '1: send spans of what happens to an OpenTelemetry collector; 0: do not, whatever the settings say.',
  OTEL_EXPORTER_OTLP_ENDPOINT:
    'Where that collector is. Default http://localhost:4318. More OTEL_ variables count too.',
  OTEL_TRACES_EXPORTER: 'none: no spans.',
  OTEL_TRACES_SAMPLER: 'Which traces are sent. Default parentbased_always_on.',
  OTEL_TRACES_SAMPLER_ARG: 'From 0 to 1, for traceidratio.',
  OTEL_SDK_DISABLED: 'true: no spans.',
  TRACEPARENT: 'The span that this run belongs to.',
  TRACESTATE: 'What belongs to that.',
} as const;

export type VariableName = keyof typeof VARIABLES;

/** Variables that are set; empty ones count as unset. */
export type Environment = Readonly<Partial<Record<VariableName, string>>>;

/** Picks the known variables from the process environment; nothing else of it is read. */
export function readEnvironment(environment: Readonly<Record<string, string | undefined>>): Environment {
  const ours: Partial<Record<VariableName, string>> = {};
  for (const name of Object.keys(VARIABLES)) {
    const value = environment[name]?.trim();
    if (isVariableName(name) && value !== undefined && value !== '') ours[name] = value;
  }
  return ours;
}

function isVariableName(name: string): name is VariableName {
  return name in VARIABLES;
}

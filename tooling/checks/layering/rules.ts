export interface PackageRule {
  readonly imports: readonly string[];
  /** Importable as types only. */
  readonly types?: readonly string[];
  readonly onDemand?: readonly string[];
  /** Entries that are only located, for a child process. */
  readonly located?: readonly string[];
  /** The only packages of others. Default: any. */
  readonly external?: readonly string[];
  /** Packages of others that are never imported, `node:` ones included; a name covers its subpaths. */
  readonly banned?: readonly string[];
}

const PROVIDERS = ['openai', '@anthropic-ai/sdk', '@google/genai'];

/** Which package may import which. */
export const PACKAGE_RULES: Readonly<Record<string, PackageRule>> = {
  protocol: { imports: [], external: ['zod'] },
  models: { imports: ['protocol'] },
  agent: { imports: ['protocol'], types: ['models'], banned: PROVIDERS },
  tools: { imports: ['protocol', 'agent'], banned: PROVIDERS },
  commands: { imports: ['protocol', 'tools'], types: ['agent'], banned: PROVIDERS },
  host: { imports: ['protocol', 'models', 'agent', 'tools', 'commands'], banned: PROVIDERS },
  terminal: { imports: ['protocol', 'agent', 'tools', 'commands', 'host'], banned: PROVIDERS },
  cli: {
    imports: ['protocol', 'models', 'agent', 'tools', 'commands', 'host'],
    onDemand: ['terminal'],
    banned: PROVIDERS,
  },
  sdk: { imports: ['protocol'], located: ['@qwen/cli/path'], banned: PROVIDERS },
  server: { imports: ['protocol', 'sdk', 'tools', 'commands'], banned: PROVIDERS },
  conformance: { imports: ['protocol'], banned: PROVIDERS },
  testkit: { imports: ['protocol'], types: ['models', 'agent'] },
};

/** A rule for some files of a package; paths are relative to the root, with forward slashes. */
export interface FolderRule {
  readonly files: RegExp;
  readonly except?: RegExp;
  /** Says in a few words what is forbidden. */
  readonly rule: string;
  /** Files of ours that these must not import. */
  readonly bannedFiles?: RegExp;
  /** No `node:` module, no `process`, no `console`. */
  readonly pure?: true;
}

export const FOLDER_RULES: readonly FolderRule[] = [
  {
    files: /^packages\/cli\/src\/control\/controllers\//,
    rule: 'a controller imports neither a mode nor another controller',
    bannedFiles: /^packages\/cli\/src\/(modes\/|control\/controllers\/(?!controller\.ts))/,
  },
  { files: /^packages\/cli\/src\/dialects\//, rule: 'a dialect does no input or output', pure: true },
  { files: /^packages\/protocol\/src\//, rule: 'protocol runs on any JavaScript engine', pure: true },
];

/** Entries whose static imports, types aside, must stay free of Node.js, `process` and `console`. */
export const PURE_ENTRIES = [
  'packages/agent/src/index.ts',
  'packages/commands/src/index.ts',
  'packages/sdk/src/terminal/index.ts',
];

/** Entries that must answer before anything heavy is loaded. */
export const QUICK_ENTRIES = ['packages/cli/src/main.ts', 'packages/sdk/src/index.ts'];
export const HEAVY_LIBRARIES = [
  ...PROVIDERS,
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace',
  'execa',
  'diff',
  'tinyglobby',
];

/** One style throughout, with endings such as `.test.ts`. */
export const FILE_NAME = /^[a-z\d]+(-[a-z\d]+)*(\.[a-z\d-]+)+$/;

/** The sole owners of stdout. The scripted programs of tests are not part of a package's source. */
export const STDOUT_OWNERS = [
  'packages/cli/src/io/line-writer.ts',
  // Programs of their own.
  'packages/conformance/src/main.ts',
  'packages/conformance/src/scripted-cli.ts',
];

export const BANNED_FOLDERS = ['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'lib'];

/** Splits lines at U+2028 too, so it must not frame a protocol. */
export const BANNED_MODULES = ['node:readline', 'node:readline/promises', 'readline', 'readline/promises'];

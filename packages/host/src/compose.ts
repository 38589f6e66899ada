import { existsSync } from 'node:fs';
import {
  AgentSession,
  type AnyTool,
  buildSystemPrompt,
  type HookPort,
  type PermissionPort,
  parseRule,
  type RuleStore,
  SessionHistory,
  type SessionLog,
} from '@qwen/agent';
import {
  FolderInstructions,
  historyFolder,
  loadProjectInstructions,
  nowMs,
  type OpenedSession,
} from '@qwen/agent/node';
import { createModel, proxyRoute } from '@qwen/models';
import { type AgentConfig, defined, TOOL_TABLE } from '@qwen/protocol';
import {
  BackgroundTasks,
  type BuiltinToolsOptions,
  builtinTools,
  type CommandSandbox,
  createPathResolver,
  type EditorFiles,
  summarizeWorkspace,
} from '@qwen/tools';
import type { SessionStart } from './agent-host-options.js';
import type { Configuration } from './config/load-config.js';
import { createModelPrices } from './config/model-prices.js';
import type { ProviderSettings } from './config/provider.js';
import { describeMemory, memoryFiles, memoryRules } from './config/qwen-code/memory-files.js';
import type { SessionChoice } from './config/session-choice.js';
import { createFileHistory, type LazyHistoryOptions } from './file-history/create-file-history.js';
import type { Hook } from './hooks/hook.js';
import type { HookReport } from './hooks/hook-report.js';
import { LazyHooks } from './lazy-hooks.js';
import { createModelDirectory, effortNotices } from './model-directory.js';
import type { Notice } from './notice.js';
import type { SessionSandbox } from './session-sandbox.js';
import { openStore, sessionFile } from './session-store.js';

export interface Composition {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly permissions: PermissionPort;
  readonly sandbox: SessionSandbox;
  /** Subagents besides the general one; the first of two with the same name wins. */
  readonly agents: () => readonly AgentConfig[];
  /** Whether someone answers questions of the model. Default: no. */
  readonly answersQuestions?: () => boolean;
  /** Whether a user sees each step: no default limit of model calls. Default false. */
  readonly isWatched?: boolean;
  readonly registeredHooks: () => readonly Hook[];
  readonly announce: (notice: Notice) => void;
  /** Workspace folders, the working folder first. Read per path, so one may be added. */
  readonly roots?: readonly string[];
  readonly reportHook?: (report: HookReport) => void;
  readonly editor?: EditorFiles;
}

const LIST_MODELS_MS = 10_000;

const machineClock = { nowMs, isoTime: () => new Date().toISOString() };

/**
 * Wires the parts of an agent together. Rejects with `missing_credentials`, `usage` for an invalid permission rule, and
 * store errors.
 */
export async function prepareSession(composition: Composition): Promise<(start: SessionStart) => AgentSession> {
  const { configuration } = composition;
  const { cwd, provider, rules, systemPrompt } = configuration;
  if (!provider.ok) throw provider.error;
  // The session throws for these only after its file has been locked.
  for (const rule of Object.values(rules).flat()) parseRule(rule);
  const summary = systemPrompt === undefined ? summarizeWorkspace(cwd) : Promise.resolve('');
  const project = await readProject(configuration);
  const sandbox = await composition.sandbox.open();
  const history = new SessionHistory();
  // Last, so that a session that cannot start leaves no file.
  const { log, notices } = await openLog(composition, history, sandbox.commands);
  const parts: SessionParts = {
    ...project,
    workspace: await summary,
    sandbox,
    history,
    log,
    background: new BackgroundTasks(),
    savedOutputs: new Set(),
    notices: [
      ...configuration.settings.notices,
      ...missingFolders(configuration),
      ...configuration.agentFiles.notices,
      ...notices,
      ...project.instructions.notices,
      ...configuration.skillFiles.notices,
      ...sandbox.notices,
      ...(await effortNotices(configuration)),
    ],
  };
  return (start) => createSession(composition, parts, start);
}

interface SessionParts extends Awaited<ReturnType<typeof readProject>> {
  /** A summary for the system prompt. */
  readonly workspace: string;
  readonly sandbox: Awaited<ReturnType<SessionSandbox['open']>>;
  readonly history: SessionHistory;
  readonly log: SessionLog;
  readonly background: BackgroundTasks;
  readonly savedOutputs: Set<string>;
  readonly notices: readonly Notice[];
}

function createSession(composition: Composition, parts: SessionParts, start: SessionStart): AgentSession {
  const { configuration, session, permissions, agents, answersQuestions = () => false, editor } = composition;
  const { cwd, routes, rules, sessionTokenLimit, contextWindow } = configuration;
  const { folders, skills, sandbox, log, background, savedOutputs, notices } = parts;
  const { history, ledger, messageIds } = parts.history;
  const maxTurns =
    configuration.maxModelCalls ?? (composition.isWatched === true ? Number.POSITIVE_INFINITY : undefined);
  const roots = composition.roots ?? [cwd, ...configuration.additionalRoots];
  const keepsFiles = start.fileHistory ?? configuration.settings.fileHistory.enabled ?? true;
  const fileHistory = keepsFiles ? fileHistoryOf(composition, { roots, messageIds }) : undefined;
  const created: AgentSession = new AgentSession({
    sessionId: session.sessionId,
    cwd,
    model: start.model,
    createModel: async (id) => createModel(settingsOf(routes.of(id).provider)),
    tools: chosenTools(configuration, {
      agents,
      answersQuestions: answersQuestions(),
      savedOutputs,
      background,
      ...defined({
        sandbox: sandbox.commands,
        editor,
        questionPreviews: configuration.questionPreviews,
        skills: skills?.source,
      }),
    }),
    agents,
    background,
    systemPrompt: systemPromptFor(configuration, parts, start),
    instructions: (start.systemPrompt ?? configuration.systemPrompt) ? '' : parts.instructions.text,
    permissions,
    permissionMode: start.permissionMode,
    hooks: hooksOf(composition, sandbox.commands, () => created.permissionMode),
    source: session.kind === 'resume' || session.kind === 'fork' ? session.kind : 'startup',
    rules: { ...rules, allow: [...rules.allow, ...(skills?.rules ?? []), ...(parts.memory?.rules ?? [])] },
    paths: createPathResolver({ roots, files: savedOutputs }),
    ...(folders !== undefined && {
      instructionsFor: (realPath: string, scope: object) => folders.take(realPath, scope),
    }),
    homeDirectory: configuration.homeDirectory,
    dataDir: configuration.configDir,
    ruleStore: rulesKeptBy(configuration),
    log: fileHistory?.following(log) ?? log,
    history,
    ledger,
    budget: start.budget ?? {},
    fallbackModels: start.fallbackModels ?? [],
    contextWindow: (id) => contextWindow ?? routes.of(id).contextWindow,
    prices: createModelPrices(routes),
    findWindow: async (id) => {
      const models = await createModelDirectory(configuration).list(AbortSignal.timeout(LIST_MODELS_MS), id);
      return models.find((model) => model.id === id)?.contextWindow;
    },
    ...defined({ fileHistory, sessionTokenLimit, output: start.output, effort: start.effort, maxTurns }),
    notices,
    clock: machineClock,
  });
  return created;
}

/** What the project adds to the system prompt and the rules. */
async function readProject(configuration: Configuration) {
  const { cwd, configDir, settings, readsProjectInstructions, readsUserInstructions } = configuration;
  const reading = {
    dataDir: configDir,
    hides: await deniedFiles(configuration),
    names: settings.extra.instructionFiles,
    files: [
      ...(readsUserInstructions ? memoryFiles(configuration) : []),
      ...settings.plugins.flatMap(({ instructionFiles }) => instructionFiles),
    ],
  };
  const instructions = loadProjectInstructions(
    readsProjectInstructions ? cwd : undefined,
    readsUserInstructions ? configDir : undefined,
    reading,
  );
  return {
    instructions,
    folders: readsProjectInstructions ? new FolderInstructions(cwd, instructions.files, reading) : undefined,
    skills: await describeTheSkills(configuration),
    memory: settings.memory.enabled === true ? memoryOf(configuration) : undefined,
  };
}

function memoryOf(configuration: Configuration) {
  return { text: describeMemory(configuration), rules: memoryRules(configuration) };
}

async function describeTheSkills({ skillFiles: { skills }, tools }: Configuration) {
  if (skills.length === 0) return undefined;
  const [{ describeSkills, skillSource }, { skillRules }] = await Promise.all([
    import('./skills/skill-texts.js'),
    import('./skills/skill-rules.js'),
  ]);
  const hasTool = tools.includes(TOOL_TABLE.skill.name);
  return { text: describeSkills(skills, hasTool), rules: skillRules(skills), source: skillSource(skills) };
}

async function openLog(composition: Composition, history: SessionHistory, sandbox: Disposable | undefined) {
  const { trajectoryFile } = composition.configuration;
  try {
    const opened = await openRecords(composition, history);
    const { notices } = opened;
    const log =
      trajectoryFile === undefined
        ? opened.log
        : (await import('./trajectory-log.js')).withTrajectory(opened, trajectoryFile);
    return { log: sandbox === undefined ? log : closingWith(log, sandbox), notices };
  } catch (thrown) {
    sandbox?.[Symbol.dispose]();
    throw thrown;
  }
}

function closingWith(log: SessionLog, resource: Disposable): SessionLog {
  return {
    append: (record) => log.append(record),
    close: async () => {
      resource[Symbol.dispose]();
      await log.close();
    },
  };
}

/** The rules are compiled twice, so only if there are any. */
async function deniedFiles(configuration: Configuration): Promise<((realPath: string) => boolean) | undefined> {
  if (configuration.rules.deny.length === 0) return undefined;
  const { viewRules } = await import('./explain-call.js');
  return (await viewRules(configuration)).hides;
}

function fileHistoryOf(
  { configuration, session, announce }: Composition,
  known: Pick<LazyHistoryOptions, 'roots' | 'messageIds'>,
) {
  const folder = historyFolder(configuration.sessionsDirectory, session.sessionId);
  return createFileHistory({ ...known, folder, announce });
}

function rulesKeptBy(configuration: Configuration): RuleStore {
  let store: Promise<RuleStore> | undefined;
  return {
    save: async (update) => {
      store ??= import('./config/rule-file.js').then(({ createRuleStore }) => createRuleStore(configuration));
      return (await store).save(update);
    },
  };
}

function hooksOf(
  composition: Composition,
  sandbox: CommandSandbox | undefined,
  permissionMode: () => string,
): HookPort {
  const { configuration, session, registeredHooks, announce, reportHook } = composition;
  const { cwd, settings } = configuration;
  return new LazyHooks({
    registered: registeredHooks,
    commands: settings.hooks,
    hookEnvironment: { cwd, environment: process.env, keep: settings.allowedVariables, ...defined({ sandbox }) },
    facts: () => ({
      sessionId: session.sessionId,
      transcriptPath: sessionFile(configuration, session.sessionId),
      cwd,
      permissionMode: permissionMode(),
    }),
    announce,
    ...(reportHook !== undefined && { report: reportHook }),
  });
}

function settingsOf(provider: Configuration['provider']): ProviderSettings {
  if (!provider.ok) throw provider.error;
  return provider.settings;
}

/** Preloads what the first turn needs. Errors surface when the turn needs it. */
export async function warmUp(configuration: Configuration): Promise<void> {
  if (configuration.provider.ok) await createModel(configuration.provider.settings);
}

function chosenTools({ tools, settings, provider, webSearch }: Configuration, options: BuiltinToolsOptions): AnyTool[] {
  const { allowedVariables: keepEnvironment, tools: toolSettings } = settings;
  const { lineNumbers = true } = toolSettings;
  const proxy = provider.ok ? provider.settings.proxy : undefined;
  const web = { route: (url: string) => proxyRoute(url, proxy) };
  return builtinTools({ ...options, keepEnvironment, lineNumbers, web, ...defined({ webSearch }) }).filter((tool) =>
    tools.some((name) => name === tool.name),
  );
}

async function openRecords({ configuration, session }: Composition, history: SessionHistory): Promise<OpenedSession> {
  const store = openStore(configuration);
  if (session.kind === 'unavailable') throw session.error;
  if (session.kind === 'resume') return store.open(session.sessionId, history);
  const beginning = { sessionId: session.sessionId, cwd: configuration.cwd, createdAt: machineClock.isoTime() };
  if (session.kind === 'fork') {
    const { source, upToMessageId } = session;
    return store.fork(source, beginning, { sink: history, ...(upToMessageId !== undefined && { upToMessageId }) });
  }
  const opened = await store.create(beginning);
  for (const record of opened.records) history.add(record);
  return opened;
}

function missingFolders({ additionalRoots }: Configuration): Notice[] {
  const missing = additionalRoots.filter((root) => !existsSync(root));
  return missing.map((root) => ({ code: 'missing_folder', message: `The workspace folder ${root} does not exist.` }));
}

/** The app's prompt replaces the built-in one; the skills, the memory and its appendix are added to either. */
function systemPromptFor(configuration: Configuration, parts: SessionParts, start: SessionStart): string {
  const replacement = start.systemPrompt ?? configuration.systemPrompt;
  const append = start.appendSystemPrompt ?? configuration.appendSystemPrompt;
  const { instructions, history, workspace } = parts;
  const skills = [parts.skills?.text ?? '', parts.memory?.text ?? ''].filter((text) => text !== '').join('\n\n');
  if (replacement !== undefined) {
    return [replacement, skills, append].filter((part) => part !== undefined && part !== '').join('\n\n');
  }
  return buildSystemPrompt({
    cwd: configuration.cwd,
    additionalRoots: configuration.additionalRoots,
    platform: process.platform,
    // The date of the session's start: a stable prompt keeps provider caches valid.
    date: (history.createdAt ?? machineClock.isoTime()).slice(0, 10),
    workspace,
    projectInstructions: instructions.text,
    skills,
    ...(append !== undefined && { append }),
  });
}

import { homedir } from 'node:os';
import { isSdkChannel } from '@qwen/host/config/channel.js';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { type Environment, readEnvironment } from '@qwen/host/config/env.js';
import { type Configuration, loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadFiles } from '@qwen/host/config/load-files.js';
import { chooseSession, type SessionChoice } from '@qwen/host/config/session-choice.js';
import type { SettingsSources } from '@qwen/host/config/settings-files.js';
import { chooseSurface, fatalDialect, type Surface } from '@qwen/host/config/surface.js';
import { wantsScreen } from '@qwen/host/config/wants-screen.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { type ParsedArgs, parseArgs } from '@qwen/host/flags/parse-args.js';
import { onCrash } from '@qwen/host/process/crashes.js';
import { watchParent } from '@qwen/host/process/parent-watch.js';
import { Shutdown } from '@qwen/host/process/shutdown.js';
import { onEndingSignal } from '@qwen/host/process/signals.js';
import { withTelemetry } from '@qwen/host/telemetry/with-telemetry.js';
import { AgentError, escapeHidden, QWEN_VERSION } from '@qwen/protocol';
import { guardStdout, LineWriter, openStdout } from './io/line-writer.js';
import type { FatalStart } from './modes/fatal-output.js';
import type { Recorder } from './recording/recorder.js';
import { findSubcommand } from './subcommands/find-subcommand.js';
import type { Subcommand } from './subcommands/subcommand.js';

/** Runs `qwen` with the words of the command line and exits with its exit code. */
export async function main(): Promise<void> {
  // The reader of stderr may close first.
  process.stderr.on('error', () => undefined);
  ensureHome();
  // Without a listener, any command could make Node.js open a debugger, which controls this process.
  process.on('SIGUSR1', () => undefined);
  let exitCode: number;
  try {
    exitCode = await run(process.argv.slice(2));
  } catch (thrown) {
    const error = AgentError.from(thrown);
    process.stderr.write(`qwen: ${escapeHidden(error.message, { keepLines: true })}\n`);
    exitCode = toExitCode(error);
    const argv = process.argv.slice(2);
    const dialect = findSubcommand(argv) === undefined ? fatalDialect(argv, readEnvironment(process.env)) : undefined;
    if (dialect !== undefined) await reportFatal(error, { argv, dialect });
  }
  // All output is flushed; an open stdin must not keep the process alive.
  process.exit(exitCode);
}

/** A user without a name, as in a container: Docker sets the same home. */
function ensureHome(): void {
  try {
    homedir();
  } catch {
    process.env['HOME'] = '/';
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const subcommand = findSubcommand(argv);
  if (subcommand !== undefined) return runSubcommand(await subcommand(), argv.slice(1));
  const args = parseArgs(argv);
  const { flags, words } = args;
  if (flags.help === true) return printHelp();
  if (flags.version === true) return printVersion();
  if (flags.replay !== undefined) return runReplay(flags.replay, flags.replayTiming ?? 'instant');
  if (flags.acp === true) return runSubcommand((await import('./acp/run-acp.js')).runAcp, argv);
  const environment = readEnvironment(process.env);
  const surface = chooseSurface(flags, environment);
  await checkArgs(args, { surface, isSdk: isSdkChannel(flags, environment) });
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  const isScreen = wantsScreen({ surface, flags, environment, isTerminal, promptText: promptText(flags, words) });
  const configuration = await configure({ flags, environment, isScreen });
  if (configuration === undefined) return 0;
  const { resume, ...others } = flags;
  const opensPicker = isScreen && resume === '';
  const session = await chooseSession(opensPicker ? others : flags, () => latestSession(configuration));
  return withTelemetry({ configuration, environment, onProblem: problemsOf(configuration) }, (traced) => {
    const start = { configuration: traced, session, surface, flags, words };
    if (isScreen) return runScreen(start);
    return surface.input === 'lines' || printsLines(surface) ? runMachineMode(start) : runPrintMode(start);
  });
}

interface Front {
  readonly surface: Surface;
  readonly isSdk: boolean;
}

/** Prints advice about the arguments. Throws `usage` if they contradict each other. */
async function checkArgs({ flags, words, unknown, notes }: ParsedArgs, { surface, isSdk }: Front): Promise<void> {
  for (const note of notes) printError(note);
  if (unknown.length > 0) (await import('./suggestions.js')).refuseUnknownFlags(unknown, { isSdk });
  for (const flag of unknown) printError(`${flag} is unknown and was ignored`);
  const readsLines = surface.input === 'lines';
  if (readsLines && promptText(flags, words) !== '') {
    throw new AgentError(
      'usage',
      'with --input-format stream-json, prompts are read from stdin; remove the prompt argument',
    );
  }
  if (flags.record !== undefined && !readsLines && !printsLines(surface)) {
    throw new AgentError('usage', '--record needs a line format: add -o stream-json');
  }
  if (readsLines || words.length === 0 || /\s/.test(words[0] ?? '')) return;
  const { nearSubcommand } = await import('./suggestions.js');
  const near = nearSubcommand(words);
  if (near !== undefined) printError(near);
}

function printsLines({ output, dialect }: Surface): boolean {
  return output === 'lines' || (output === 'document' && dialect === 'openai');
}

interface Setup {
  readonly flags: Flags;
  readonly environment: Environment;
  readonly isScreen: boolean;
}

/** In the terminal UI, first asks for trust and a missing provider; undefined if the user quits there. */
async function configure({ flags, environment, isScreen }: Setup): Promise<Configuration | undefined> {
  const cwd = process.cwd();
  const sources = { configDir: findConfigDir(environment, cwd), cwd, flags };
  const load = async () => loadConfiguration({ flags, environment, cwd, ...(await loadFiles(sources)), isScreen });
  if (!isScreen) return load();
  if (!(await mayStart(sources))) return undefined;
  const configuration = await load();
  if (configuration.provider.ok) return configuration;
  return (await askProvider(configuration, flags)) === 'leave' ? undefined : load();
}

interface Start {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly surface: Surface;
  readonly flags: Flags;
  readonly words: readonly string[];
}

async function runMachineMode(start: Start): Promise<number> {
  const { configuration, session, surface, flags } = start;
  const prompt = surface.input === 'text' ? await findPrompt(start) : undefined;
  const output = openStdout();
  guardStdout();
  const onProblem = problemsOf(configuration);
  const shutdown = new Shutdown();
  // In print mode a signal is the only way to cancel the turn.
  let cancel = (): boolean => false;
  const forgetSignals = onEndingSignal(
    (exitCode) => shutdown.begin(exitCode),
    () => prompt !== undefined && cancel(),
  );
  const parent = watchParent(() => shutdown.begin(1));
  process.stdin.once('end', () => parent.checkOften());
  const common = { input: process.stdin, output, configuration, session, shutdown, onProblem };
  const recording = flags.record === undefined ? undefined : await openRecording(flags.record);
  const starting =
    isSdkPipe(surface) && recording === undefined
      ? import('./modes/stream-json.js').then(({ runStreamJson }) => runStreamJson(common))
      : import('./modes/start-machine.js').then(({ startMachine }) =>
          startMachine({
            ...start,
            ...common,
            stderr: process.stderr,
            ...(prompt !== undefined && { prompt }),
            ...(recording !== undefined && { recording }),
          }),
        );
  const started = starting.catch(() => undefined);
  const crash = async (error: AgentError): Promise<void> => (await started)?.fail(error);
  const forgetCrashes = onCrash((error) => {
    void crash(error);
    shutdown.begin(1);
    printError(error.message);
  });
  const mode = await starting;
  cancel = () => mode.cancel();
  const exitCode = await mode.done;
  await recording?.close(exitCode);
  parent.stop();
  forgetSignals();
  forgetCrashes();
  return exitCode;
}

/** False if the user exits at the trust dialog. */
async function mayStart(sources: SettingsSources & { readonly flags: Flags }): Promise<boolean> {
  const { askTrust } = await import('@qwen/terminal/ask-trust.js');
  const isScreenReader = sources.flags.screenReader === true;
  return (await askTrust({ sources, isScreenReader, input: process.stdin, output: openStdout() })) !== 'leave';
}

async function askProvider({ configDir, settings }: Configuration, flags: Flags): Promise<'chosen' | 'skip' | 'leave'> {
  const { welcome } = await import('@qwen/terminal/welcome.js');
  const isScreenReader = flags.screenReader === true;
  return welcome({ configDir, settings, isScreenReader, input: process.stdin, output: openStdout() });
}

async function runScreen({ configuration, session, flags }: Start): Promise<number> {
  const output = openStdout();
  guardStdout();
  const input = process.stdin;
  // First, so that text typed ahead is neither echoed nor altered by the terminal.
  input.setRawMode(true);
  try {
    const { runTerminal } = await import('@qwen/terminal/run-terminal.js');
    return await runTerminal({ configuration, session, flags, input, output });
  } finally {
    input.setRawMode(false);
  }
}

async function openRecording(path: string): Promise<Recorder> {
  const { Recorder } = await import('./recording/recorder.js');
  return Recorder.open({ path, version: QWEN_VERSION, onLost: ({ message }) => printError(message) });
}

async function runReplay(path: string, timing: 'instant' | 'real'): Promise<number> {
  const { replay } = await import('./recording/replay.js');
  const stop = new AbortController();
  const writer = new LineWriter(openStdout(), { onLost: () => stop.abort() });
  guardStdout();
  const exitCode = await replay({ path, input: process.stdin, writer, timing, signal: stop.signal });
  await writer.flush();
  return exitCode;
}

/** Two SDK pipes load nothing else. */
function isSdkPipe({ input, output, dialect }: Surface): boolean {
  return input === 'lines' && output === 'lines' && dialect === 'sdk';
}

async function runPrintMode(start: Start): Promise<number> {
  const { configuration, session, surface } = start;
  const prompt = await findPrompt(start);
  for (const name of configuration.mcpServers.inApp) {
    printError(`the MCP server "${name}" runs in an app, but no app is connected`);
  }
  const output = openStdout();
  guardStdout();
  const shutdown = new Shutdown();
  const forgetSignals = onEndingSignal((exitCode) => shutdown.begin(exitCode));
  const { runPrint } = await import('./modes/print.js');
  const exitCode = await runPrint({
    prompt,
    surface,
    configuration,
    session,
    output,
    stderr: process.stderr,
    shutdown,
  });
  forgetSignals();
  return exitCode;
}

function promptText(flags: Flags, words: readonly string[]): string {
  return [flags.prompt ?? '', words.join(' ')].filter((text) => text !== '').join(' ');
}

/** The prompt, then piped text. Throws `usage` if both are empty. */
async function findPrompt({ flags, words }: Start): Promise<string> {
  const said = promptText(flags, words);
  const { hasPipedInput, readPipedText } = await import('./io/piped-text.js');
  const piped = hasPipedInput() ? await readPipedText(process.stdin, { isOptional: said !== '' }) : '';
  if (piped === undefined) printError('stdin was empty; using the prompt alone');
  const prompt = [said, piped?.trimEnd() ?? ''].filter((text) => text !== '').join('\n\n');
  if (prompt !== '') return prompt;
  throw new AgentError('usage', 'no prompt given. Run qwen "your prompt" or pipe one in; see qwen --help');
}

async function latestSession(configuration: Configuration): Promise<string | undefined> {
  const store = await import('@qwen/host/session-store.js');
  return store.latestSession(configuration);
}

/** In a JSON output format the reason is a line on stdout. */
async function reportFatal(error: AgentError, start: FatalStart): Promise<void> {
  const { fatalOutput } = await import('./modes/fatal-output.js');
  const writer = new LineWriter(openStdout());
  await writer.write(fatalOutput(error, start));
  await writer.flush();
}

async function runSubcommand(subcommand: Subcommand, words: readonly string[]): Promise<number> {
  const writer = new LineWriter(openStdout());
  guardStdout();
  const exitCode = await subcommand({
    words,
    environment: readEnvironment(process.env),
    cwd: process.cwd(),
    // Names, commands and messages may contain what a terminal obeys.
    print: (text) => writer.write(process.stdout.isTTY ? escapeHidden(text, { keepLines: true }) : text),
    printError,
  });
  await writer.flush();
  return exitCode;
}

async function printHelp(): Promise<number> {
  const { helpText } = await import('./help.js');
  return print(helpText());
}

function printVersion(): Promise<number> {
  return print(`${QWEN_VERSION}\n`);
}

async function print(text: string): Promise<number> {
  const writer = new LineWriter(openStdout());
  await writer.write(text);
  await writer.flush();
  return 0;
}

function problemsOf({ debug }: Configuration): (error: AgentError) => void {
  return ({ code, message }) => {
    if (debug) printError(`${code}: ${message}`);
  };
}

function printError(text: string): void {
  process.stderr.write(`qwen: ${escapeHidden(text, { keepLines: true })}\n`);
}

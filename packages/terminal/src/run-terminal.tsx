import { readEnvironment } from '@qwen/host/config/env.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { lookOf } from '@qwen/host/config/terminal-look.js';
import { type NamedTheme, readTheme } from '@qwen/host/config/theme-files.js';
import { loadUiSettings } from '@qwen/host/config/ui-settings.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { onCrash } from '@qwen/host/process/crashes.js';
import { interceptPrints } from '@qwen/host/process/print-interceptor.js';
import { Shutdown } from '@qwen/host/process/shutdown.js';
import { onEndingSignal } from '@qwen/host/process/signals.js';
import { AgentError, escapeHidden } from '@qwen/protocol';
import { type DOMElement, type Instance, render } from 'ink';
import { createRef, type ReactNode, type RefObject } from 'react';
import { createComposer } from './composer/create-composer.js';
import { KeyMap } from './composer/key-map.js';
import { endOpenPastes } from './end-open-pastes.js';
import { startLayoutEngine } from './layout-engine.js';
import { App } from './screen/app.js';
import { Attention } from './screen/attention.js';
import { frameWidths } from './screen/frame-widths.js';
import { PrintedLines } from './screen/printed-lines.js';
import { reflowOf } from './screen/reflow.js';
import { ResizableOutput } from './screen/resizable-output.js';
import { ScreenKeys } from './screen/screen-keys.js';
import { createScreenSession } from './session/create-screen-session.js';
import { TransientHint } from './session/transient-hint.js';
import { chooseTheme, showsLinks } from './theme/choose-theme.js';
import { failureOf, noteOf, quietLine } from './transcript/note-lines.js';

export interface TerminalOptions {
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly flags: Flags;
  /** Both streams are TTYs. */
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

/** Milliseconds allowed for closing after shutdown begins. */
const CLOSE_LIMIT_MS = 1_700;
/** The event feed limits agent updates; keys must not wait for Ink's frame limit. */
const MAX_FPS = 500;

/** Runs the screen until the user leaves, restores the terminal and returns the exit code. */
export async function runTerminal({
  configuration,
  session: choice,
  flags,
  input,
  output,
}: TerminalOptions): Promise<number> {
  const environment = readEnvironment(process.env);
  const ui = loadUiSettings(configuration.settings, environment);
  const { hasColours } = lookOf(output, environment);
  const toTheme = (theme: NamedTheme) => chooseTheme({ theme, hasColours, terminal: process.env });
  const { theme: named, problem } = await startTheme(ui.theme, configuration.configDir);
  const theme = toTheme(named);
  const isScreenReader = flags.screenReader === true || ui.screenReader;
  const shutdown = new Shutdown();
  const left = new Promise<void>((resolve) => shutdown.onBegin(resolve));
  let crash: string | undefined;
  const fail = ({ message }: { readonly message: string }): void => {
    crash ??= message;
    shutdown.begin(1);
  };
  const resizable = new ResizableOutput(output, reflowOf(process.env));
  const printed = new PrintedLines({
    theme: () => session.store.getState().theme ?? theme,
    hasLinks: !isScreenReader && (ui.hyperlinks ?? showsLinks(process.env)),
    output: resizable,
  });
  const keyMap = new KeyMap(ui.keys);
  const { session, transcript } = createScreenSession({
    // The dialog of a question shows the previews of its options.
    configuration: { questionPreviews: 'markdown', ...configuration },
    choice,
    flags,
    output,
    toTheme,
    isScreenReader,
    fullKey: keyMap.labelsOf('showFull')[0] ?? '',
    print: (lines) => printed.print(lines),
    quit: (exitCode) => shutdown.begin(exitCode),
  });
  const hint = new TransientHint(session.store);
  const keys = new ScreenKeys({ session, transcript, hint, map: keyMap, columns: () => output.columns });
  session.store.update((state) => ({ ...state, isVim: ui.vimMode }));
  const composer = createComposer(session, keyMap);
  const forgetSignals = onEndingSignal((exitCode) => shutdown.begin(exitCode));
  const forgetCrashes = onCrash(fail);
  // The window was closed: output is no longer read.
  output.on('error', () => shutdown.begin(1));
  const restorePrints = interceptPrints({
    keepsRaw: false,
    onPrint: ({ text }) => session.print(noteOf(text.trimEnd(), output.columns)),
  });
  await startLayoutEngine();
  const frame = createRef<DOMElement>();
  const app = <App {...{ session, composer, keys, printed, theme, frame }} />;
  const restoreInput = endOpenPastes(input);
  const screen = renderApp(app, { frame, input, output, resizable, isScreenReader });
  const attention = new Attention({
    store: session.store,
    write: (text) => void output.write(text),
    folder: configuration.cwd,
    hasTitle: ui.windowTitle,
    notifies: ui.notifications,
    isTmux: process.env['TMUX'] !== undefined,
  });
  screen.waitUntilExit().catch(fail);
  session.begin();
  if (problem !== undefined) session.print([...failureOf(problem, output.columns), []]);
  if (flags.resume === '') session.store.update((state) => ({ ...state, dialog: { name: 'sessions' } }));
  await left;
  await shutdown.bound(session.close(), CLOSE_LIMIT_MS);
  if (session.host.hasBegun)
    session.print([quietLine(`Resume this session with: qwen --resume ${session.host.sessionId}`)]);
  composer.close();
  hint.close();
  screen.clear();
  screen.unmount();
  restoreInput();
  attention.close();
  resizable.release();
  restorePrints();
  forgetSignals();
  forgetCrashes();
  if (crash !== undefined) process.stderr.write(`qwen: ${escapeHidden(crash, { keepLines: true })}\n`);
  return shutdown.exitCode ?? 0;
}

/** A broken theme does not prevent the start. */
async function startTheme(
  name: string,
  configDir: string,
): Promise<{ readonly theme: NamedTheme; readonly problem?: string }> {
  try {
    return { theme: await readTheme(name, configDir) };
  } catch (thrown) {
    return { theme: { name: 'auto' }, problem: AgentError.from(thrown).message };
  }
}

interface ScreenParts {
  readonly frame: RefObject<DOMElement | null>;
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  readonly resizable: ResizableOutput;
  readonly isScreenReader: boolean;
}

function renderApp(app: ReactNode, { frame, input, output, resizable, isScreenReader }: ScreenParts): Instance {
  // Widths of the lines on the screen, which may differ from the next frame.
  let widths: readonly number[] = [];
  const screen = render(app, {
    stdin: input,
    stdout: resizable.stream,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    incrementalRendering: true,
    isScreenReaderEnabled: isScreenReader,
    maxFps: MAX_FPS,
    onRender: () => {
      if (frame.current !== null) widths = frameWidths(frame.current, output.columns);
    },
    kittyKeyboard: { mode: 'auto' },
  });
  resizable.attach({ forget: screen.clear, layOut: () => screen.rerender(app), widths: () => widths });
  return screen;
}

import { Box, type DOMElement, useApp, useInput, useIsScreenReaderEnabled, useStdout, useWindowSize } from 'ink';
import { type ReactElement, type ReactNode, type Ref, useCallback, useEffect, useSyncExternalStore } from 'react';
import { Composer } from '../composer/composer.js';
import type { ComposerStore } from '../composer/composer-store.js';
import { toKeystrokes } from '../composer/keystroke.js';
import { isEmpty, textOf } from '../composer/text-buffer.js';
import { StrayTextContext } from '../dialogs/choice/answer-guard.js';
import { DialogView } from '../dialogs/dialog-view.js';
import { QuestionView } from '../dialogs/question-view.js';
import { Lines } from '../lines/lines-view.js';
import { toShownInOne } from '../lines/shown-text.js';
import type { TerminalSession } from '../session/terminal-session.js';
import type { TerminalState } from '../state/terminal-state.js';
import type { Theme } from '../theme/theme.js';
import { ThemeContext } from '../theme/theme-context.js';
import { wantedCallRows } from './call-rows.js';
import { Footer } from './footer.js';
import { LivePart } from './live-part.js';
import type { PrintedLines } from './printed-lines.js';
import type { WantedRows } from './row-shares.js';
import { shareRows } from './row-shares.js';
import type { ScreenKeys } from './screen-keys.js';
import { StatusLine } from './status-line.js';
import { stopJob } from './suspend.js';
import { hasOpenTodos } from './todo-rows.js';

export interface AppProps {
  readonly session: TerminalSession;
  readonly composer: ComposerStore;
  readonly keys: ScreenKeys;
  readonly printed: PrintedLines;
  readonly theme: Theme;
  readonly frame: Ref<DOMElement>;
}

const CLEAR_SCREEN = '\u001b[2J\u001b[H';

export function App({ session, composer, keys, printed, theme, frame }: AppProps): ReactElement {
  const { store } = session;
  const state = useSyncExternalStore(store.subscribe, store.getState);
  const { columns, rows } = useWindowSize();
  const { suspendTerminal } = useApp();
  const { write, stdout } = useStdout();
  const isSpoken = useIsScreenReaderEnabled();
  useEffect(() => {
    printed.attach(write);
    return () => printed.attach(undefined);
  }, [printed, write]);
  const { shell } = session;
  useEffect(() => {
    shell.attach((use) => suspendTerminal(use));
    return () => shell.attach(undefined);
  }, [shell, suspendTerminal]);
  const { turn, question, dialog } = state;
  const isComposing = question === undefined && dialog === undefined;
  // An editor may own the terminal already.
  const borrowTerminal = (use: () => Promise<void>): void => void suspendTerminal(use).catch(() => undefined);
  useInput((input, key) => {
    for (const keystroke of toKeystrokes(input, key)) {
      if (keystroke.kind === 'text') continue;
      if (keystroke.name === 'ctrl+c' && !isComposing) keys.interrupt();
      for (const action of keys.actionsOf(keystroke.name)) {
        if (action === 'changeMode') keys.changeMode();
        if (action === 'showFull') keys.unfold();
        if (action === 'redraw') borrowTerminal(async () => void stdout.write(CLEAR_SCREEN));
        if (action === 'suspend' && process.platform !== 'win32') borrowTerminal(stopJob);
      }
    }
  });
  const shares = shareRows({ rows, ...wantedRows(state, isSpoken) });
  const keepText = useCallback((text: string) => composer.keep(text), [composer]);
  const size = { session, columns, rows: rows - 1 };
  return (
    <ThemeContext value={state.theme ?? theme}>
      <Box ref={frame} flexDirection="column">
        {question !== undefined && (
          <StrayTextContext value={keepText}>
            <QuestionView key={question.id} {...size} rows={size.rows - 1} question={question} />
            <KeptText composer={composer} columns={columns} />
          </StrayTextContext>
        )}
        {question === undefined && dialog !== undefined && <DialogView {...size} dialog={dialog} />}
        {isComposing && (
          <>
            <LivePart state={state} shares={shares} columns={columns} folder={session.configuration.cwd} />
            {turn !== undefined && shares.status > 0 && <StatusLine turn={turn} columns={columns} />}
            <Composer
              composer={composer}
              columns={columns}
              maxRows={shares.composer}
              onEscape={keys.stopTurn}
              onRewind={keys.rewind}
              onInterrupt={keys.interrupt}
              onLeave={keys.leave}
              onBackground={keys.moveToBackground}
              onShortcuts={keys.showShortcuts}
            />
            <Footer {...{ session, state, columns }} changeModeKey={keys.changeModeKey} rows={shares.footer} />
          </>
        )}
      </Box>
    </ThemeContext>
  );
}

/** Shows that text typed at a question is not lost. */
function KeptText({ composer, columns }: Pick<AppProps, 'composer'> & { readonly columns: number }): ReactNode {
  const { buffer } = useSyncExternalStore(composer.subscribe, composer.getState);
  if (isEmpty(buffer)) return undefined;
  const text = toShownInOne(textOf(buffer));
  const lead = 'Kept for your next prompt: ';
  return (
    <Lines lines={[[{ text: lead, token: 'Gray' }, { text: text.slice(0, Math.max(8, columns - lead.length)) }]]} />
  );
}

/** Screen readers get only finished lines. */
function wantedRows({ turn, calls, todos, queued }: TerminalState, isSpoken: boolean): Omit<WantedRows, 'rows'> {
  return {
    hasTurn: turn !== undefined,
    calls: isSpoken ? 0 : wantedCallRows(calls),
    todos: isSpoken || turn === undefined || !hasOpenTodos(todos) ? 0 : todos.length,
    queued: queued.length,
  };
}

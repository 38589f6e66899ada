import { readEnvironment } from '@qwen/host/config/env.js';
import { findUntrustedProject, type UntrustedProject } from '@qwen/host/config/project-requests.js';
import type { SettingsSources } from '@qwen/host/config/settings-files.js';
import { lookOf } from '@qwen/host/config/terminal-look.js';
import { trustProject } from '@qwen/host/config/trust-changes.js';
import { render, useWindowSize } from 'ink';
import type { ReactElement } from 'react';
import { FRAME_COLUMNS } from './dialogs/dialog-frame.js';
import { type TrustDecision, TrustScreen } from './dialogs/trust-screen.js';
import { endOpenPastes } from './end-open-pastes.js';
import { startLayoutEngine } from './layout-engine.js';
import { toShown } from './lines/shown-text.js';
import { wrapLine } from './lines/wrap-line.js';
import { chooseTheme } from './theme/choose-theme.js';
import { paintLine } from './theme/paint-line.js';
import { ThemeContext } from './theme/theme-context.js';

export interface TrustQuestion {
  readonly sources: SettingsSources;
  readonly isScreenReader: boolean;
  /** Both streams are TTYs. */
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

const CHROME_ROWS = 10;

/**
 * Asks whether to trust the project and stores an approval of its current requests. Returns `skip` when it requests
 * nothing. Rejects with `invalid_settings` or `storage_unwritable`.
 */
export async function askTrust(question: TrustQuestion): Promise<TrustDecision> {
  const untrusted = await findUntrustedProject(question.sources);
  if (untrusted === undefined) return 'skip';
  const decision = await ask(untrusted, question);
  if (decision === 'trust') await trustProject(question.sources.configDir, untrusted.project);
  return decision;
}

/** A list longer than the screen is printed above the dialog. */
async function ask({ project, requests }: UntrustedProject, terminal: TrustQuestion): Promise<TrustDecision> {
  const { input, output, isScreenReader } = terminal;
  const { hasColours } = lookOf(output, readEnvironment(process.env));
  // Settings that name a theme are not trusted yet.
  const theme = chooseTheme({ theme: { name: 'auto' }, hasColours, terminal: process.env });
  const { promise: decided, resolve } = Promise.withResolvers<TrustDecision>();
  const lines = [toShown(project.folder), ...requests];
  const wrapped = lines.flatMap((text) => wrapLine([{ text }], Math.max(1, output.columns - FRAME_COLUMNS)));
  const isLong = wrapped.length > output.rows - CHROME_ROWS;
  const shown = isLong ? [toShown(project.folder), `The ${requests.length} settings are listed in full above.`] : lines;
  if (isLong) output.write(`${wrapped.map((line) => paintLine(line, theme)).join('\n')}\n`);
  const Asked = (): ReactElement => {
    const { columns, rows } = useWindowSize();
    return (
      <ThemeContext value={theme}>
        <TrustScreen lines={shown} columns={columns} rows={rows - 1} onDecide={resolve} />
      </ThemeContext>
    );
  };
  await startLayoutEngine();
  const restoreInput = endOpenPastes(input);
  const screen = render(<Asked />, {
    stdin: input,
    stdout: output,
    interactive: true,
    exitOnCtrlC: false,
    patchConsole: false,
    isScreenReaderEnabled: isScreenReader,
  });
  const decision = await decided;
  screen.clear();
  screen.unmount();
  await screen.waitUntilExit();
  restoreInput();
  return decision;
}

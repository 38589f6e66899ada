import { readEnvironment } from '@qwen/host/config/env.js';
import type { EffectiveSettings } from '@qwen/host/config/settings.js';
import { lookOf } from '@qwen/host/config/terminal-look.js';
import { render, useWindowSize } from 'ink';
import type { ReactElement } from 'react';
import { ProviderSetup } from './dialogs/pages/provider-setup.js';
import { endOpenPastes } from './end-open-pastes.js';
import { startLayoutEngine } from './layout-engine.js';
import { chooseTheme } from './theme/choose-theme.js';
import { ThemeContext } from './theme/theme-context.js';
import { useKeys } from './use-keys.js';

export interface Welcome {
  readonly configDir: string;
  readonly settings: EffectiveSettings;
  readonly isScreenReader: boolean;
  /** Both streams are TTYs. */
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
}

export type WelcomeDecision = 'chosen' | 'skip' | 'leave';

/** Asks for a provider and stores the choice, before a session starts without one. */
export async function welcome({
  configDir,
  settings,
  isScreenReader,
  input,
  output,
}: Welcome): Promise<WelcomeDecision> {
  const environment = readEnvironment(process.env);
  const { hasColours } = lookOf(output, environment);
  const theme = chooseTheme({ theme: { name: 'auto' }, hasColours, terminal: process.env });
  const { promise: decided, resolve } = Promise.withResolvers<WelcomeDecision>();
  const Asked = (): ReactElement => {
    const { columns, rows } = useWindowSize();
    useKeys({
      onKey: (text, key) => {
        if (key.ctrl && text === 'c') resolve('leave');
      },
    });
    return (
      <ThemeContext value={theme}>
        <ProviderSetup
          title="Welcome to qwen. Which model do you want to use?"
          {...{ configDir, environment, settings, columns }}
          rows={rows - 1}
          isFirst
          escape="continue without a model"
          onDone={() => resolve('chosen')}
          onCancel={() => resolve('skip')}
        />
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

import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import { listThemeFiles, type NamedTheme, readTheme } from '@qwen/host/config/theme-files.js';
import { AgentError, THEMES } from '@qwen/protocol';
import { type ReactNode, useState } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import { failureOf } from '../../transcript/note-lines.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { useLoaded } from './use-loaded.js';

const WORDS: Readonly<Record<(typeof THEMES)[number], string>> = {
  auto: 'light or dark, following the terminal',
  dark: 'for dark backgrounds',
  light: 'for light backgrounds',
  ansi: 'the colors of your terminal',
  none: 'no colors',
};

const SAMPLE: readonly StyledLine[] = [
  [
    { text: 'Headings ', bold: true, token: 'AccentBlue' },
    { text: 'code ', token: 'AccentCyan' },
    { text: 'done ', token: 'AccentGreen' },
    { text: 'note ', token: 'AccentYellow' },
    { text: 'error ', token: 'AccentRed' },
    { text: 'aside', token: 'Gray' },
  ],
  [
    { text: '+ added line  ', token: 'DiffAdded' },
    { text: '- removed line', token: 'DiffRemoved' },
  ],
];

interface ListedTheme {
  readonly named: NamedTheme;
  readonly detail: string;
  readonly isBroken?: true;
}

async function readThemes(configDir: string): Promise<readonly ListedTheme[]> {
  const ofFiles = listThemeFiles(configDir).map(async (name): Promise<ListedTheme> => {
    try {
      return { named: await readTheme(name, configDir), detail: 'your theme' };
    } catch (thrown) {
      return { named: { name }, detail: AgentError.from(thrown).message, isBroken: true };
    }
  });
  return [...THEMES.map((name) => ({ named: { name }, detail: WORDS[name] })), ...(await Promise.all(ofFiles))];
}

/** Leaving the list restores the theme. */
export function ThemePage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const { configDir, settings } = session.configuration;
  const [before] = useState(() => session.store.getState().themeName ?? settings.ui.theme ?? 'auto');
  const [loaded] = useLoaded(() => readThemes(configDir));
  const themes = loaded.state === 'ready' ? loaded.value : [];
  const restore = (): void =>
    session.setTheme(themes.find(({ named }) => named.name === before)?.named ?? { name: 'auto' });
  const choose = ({ named, detail, isBroken }: ListedTheme): void => {
    onClose();
    if (isBroken !== true) {
      session.setTheme(named);
      return reportFailure(session, saveUserSetting(['ui', 'theme'], named.name, { configDir }));
    }
    restore();
    session.print(failureOf(detail, columns));
  };
  return (
    <ListPage
      title="Theme"
      notes={SAMPLE}
      choices={themes.map((theme) => ({ value: theme, label: theme.named.name, detail: theme.detail }))}
      columns={columns}
      rows={rows}
      isChosen={({ named }) => named.name === before}
      onMove={({ named }) => session.setTheme(named)}
      onChoose={choose}
      onCancel={() => {
        restore();
        onClose();
      }}
    />
  );
}

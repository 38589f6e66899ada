import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import type { UiChoice } from '@qwen/host/config/ui-settings.js';
import { THEMES } from '@qwen/protocol';
import type { ReactNode } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';

const WORDS: Readonly<Record<UiChoice['theme'], string>> = {
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

export function ThemePage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const { configDir } = session.configuration;
  const choose = (theme: UiChoice['theme']): void => {
    session.setTheme(theme);
    onClose();
    reportFailure(session, saveUserSetting(['ui', 'theme'], theme, { configDir }));
  };
  return (
    <ListPage
      title="Theme"
      notes={SAMPLE}
      choices={THEMES.map((theme) => ({ value: theme, label: theme, detail: WORDS[theme] }))}
      columns={columns}
      rows={rows}
      onChoose={choose}
      onCancel={onClose}
    />
  );
}

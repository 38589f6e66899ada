import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import { PERMISSION_MODES } from '@qwen/protocol';
import { type ReactNode, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import { DialogFrame, FRAME_COLUMNS } from '../dialog-frame.js';
import { TextEntry } from '../questions/text-entry.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { ThemePage } from './theme-page.js';

type Entry = 'theme' | 'mode' | 'model' | 'editor' | 'screenReader' | 'files';

const ENTRIES: readonly { readonly value: Entry; readonly label: string; readonly detail: string }[] = [
  { value: 'theme', label: 'Theme', detail: 'ui.theme' },
  { value: 'mode', label: 'Approval mode', detail: 'permissions.defaultMode' },
  { value: 'model', label: 'Default model', detail: 'model' },
  { value: 'editor', label: 'Editor', detail: 'ui.editor' },
  { value: 'screenReader', label: 'Screen reader', detail: 'ui.screenReader' },
  { value: 'files', label: 'Settings files', detail: 'files' },
];

/** Edits user settings; shows where project settings or flags override them. */
export function SettingsPage(props: PageProps): ReactNode {
  const { session, columns, rows, onClose } = props;
  const [entry, setEntry] = useState<Entry>();
  const back = (): void => setEntry(undefined);
  const save = (path: readonly string[], value: string | boolean | undefined): void => {
    onClose();
    const { configDir } = session.configuration;
    const saved = saveUserSetting(path, value, { configDir }).then(() => {
      const words =
        value === undefined ? 'is no longer set' : `is now ${toShown(String(value))}. It applies from the next start`;
      session.print([[{ text: `${path.join('.')} ${words}.`, token: 'AccentGreen' }]]);
    });
    reportFailure(session, saved);
  };
  const list = { columns, rows, onCancel: back };
  const write = (prompt: string, path: readonly string[]): ReactNode => (
    <DialogFrame title="Settings" keys="Enter: save (empty removes it) · Esc: back" columns={columns}>
      <TextEntry
        prompt={prompt}
        columns={columns - FRAME_COLUMNS}
        onSubmit={(text) => save(path, text.trim() === '' ? undefined : text.trim())}
        onCancel={back}
      />
    </DialogFrame>
  );
  switch (entry) {
    case undefined:
      return <ListPage {...list} title="Settings" choices={ENTRIES} onChoose={setEntry} onCancel={onClose} />;
    case 'theme':
      return <ThemePage {...props} />;
    case 'mode':
      return (
        <ListPage
          {...list}
          title="Approval mode"
          choices={PERMISSION_MODES.map((mode) => ({ value: mode, label: mode }))}
          onChoose={(mode) => save(['permissions', 'defaultMode'], mode)}
        />
      );
    case 'model':
      return write('Model name', ['model']);
    case 'editor':
      return write('Editor command, such as: code --wait', ['ui', 'editor']);
    case 'screenReader':
      return (
        <ListPage
          {...list}
          title="Screen reader"
          choices={[
            { value: true, label: 'On', detail: 'linear text, no borders or animation' },
            { value: false, label: 'Off' },
          ]}
          onChoose={(isOn) => save(['ui', 'screenReader'], isOn)}
        />
      );
    case 'files': {
      const { files } = findSettingsFiles({ ...session.configuration, flags: {} });
      return (
        <ListPage
          {...list}
          title="Settings files (later ones take precedence)"
          notes={files.length === 0 ? [[{ text: 'None.', token: 'Gray' }]] : []}
          choices={files.map(({ path }) => ({ value: path, label: path }))}
          onChoose={back}
        />
      );
    }
  }
}

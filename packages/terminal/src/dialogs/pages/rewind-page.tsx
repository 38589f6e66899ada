import { fileLines, type PastPrompt, type RewindPart } from '@qwen/commands';
import { type ReactNode, useState } from 'react';
import type { StyledLine } from '../../lines/styled-line.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { type Loaded, useLoaded } from './use-loaded.js';

/** Chooses a prompt, then what goes back to before it. */
export function RewindPage(props: PageProps): ReactNode {
  const { session, columns, rows, onClose } = props;
  const [chosen, setChosen] = useState<PastPrompt>();
  const [loaded] = useLoaded(async () => (await session.commands()).host.rewind.prompts());
  if (chosen !== undefined) return <PartPage {...props} prompt={chosen} onBack={() => setChosen(undefined)} />;
  const prompts = loaded.state === 'ready' ? loaded.value.toReversed() : [];
  return (
    <ListPage
      title="Rewind to before a prompt"
      notes={[...stateNotes(loaded), ...(loaded.state === 'ready' && prompts.length === 0 ? [NO_PROMPTS] : [])]}
      choices={prompts.map((prompt) => ({
        value: prompt,
        label: prompt.text.replaceAll(/\s+/g, ' ').trim().slice(0, 100) || prompt.messageId,
        detail: new Date(prompt.sentAtMs).toLocaleTimeString(),
      }))}
      isFiltered
      columns={columns}
      rows={rows}
      onChoose={setChosen}
      onCancel={onClose}
    />
  );
}

const NO_PROMPTS: StyledLine = [{ text: 'There are no prompts to go back to.', token: 'Gray' }];

interface PartPageProps extends PageProps {
  readonly prompt: PastPrompt;
  readonly onBack: () => void;
}

function PartPage({ session, columns, rows, prompt, onBack, onClose }: PartPageProps): ReactNode {
  const [loaded] = useLoaded(async () => {
    const rewind = await (await session.commands()).host.rewind.preview(prompt.messageId);
    return { rewind, hasFiles: rewind?.files.some(({ refused }) => refused === undefined) === true };
  });
  const { rewind, hasFiles } = loaded.state === 'ready' ? loaded.value : {};
  const choices: readonly { readonly value: RewindPart; readonly label: string }[] = [
    ...(hasFiles === true ? [{ value: 'both', label: 'Restore conversation and files' } as const] : []),
    { value: 'conversation', label: 'Restore the conversation only' },
    ...(hasFiles === true ? [{ value: 'files', label: 'Restore the files only' } as const] : []),
  ];
  const files = loaded.state === 'ready' ? fileLines(rewind) : [];
  return (
    <ListPage
      title="Restore what was before this prompt"
      notes={[
        [{ text: prompt.text.replaceAll(/\s+/g, ' ').trim().slice(0, 200), bold: true }],
        ...stateNotes(loaded),
        ...files.map((line): StyledLine => [{ text: line, ...(isWarning(line) && { token: 'AccentYellow' }) }]),
      ]}
      choices={loaded.state === 'loading' ? [] : choices}
      columns={columns}
      rows={rows}
      onChoose={(part) => {
        onClose();
        reportFailure(session, session.rewind(prompt.messageId, part));
      }}
      onCancel={onBack}
      escape="back"
    />
  );
}

function isWarning(line: string): boolean {
  return line.includes('(warning: ') || line.startsWith('  Keep ');
}

function stateNotes(loaded: Loaded<unknown>): readonly StyledLine[] {
  if (loaded.state === 'loading') return [[{ text: 'Looking…', token: 'Gray' }]];
  return loaded.state === 'failed' ? [[{ text: loaded.message, token: 'AccentRed' }]] : [];
}

import { isAgentName } from '@qwen/host/agents/agent-configs.js';
import { type AgentTarget, createAgentFile } from '@qwen/host/agents/create-agent-file.js';
import { AgentError, FILE_READING_TOOLS } from '@qwen/protocol';
import { type ReactNode, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import { EntryPage } from './entry-page.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';

interface Draft {
  readonly scope?: AgentTarget['scope'];
  readonly name?: string;
  readonly description?: string;
  /** `names` undefined: all tools. */
  readonly tools?: { readonly names: readonly string[] | undefined };
}

export function CreateAgentPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const [draft, setDraft] = useState<Draft>({});
  const [problem, setProblem] = useState<string>();
  const { scope, name, description, tools } = draft;
  const place = { columns, rows, onCancel: onClose };
  const add = (step: Draft): void => {
    setProblem(undefined);
    setDraft({ ...draft, ...step });
  };
  const ask = (prompt: string, onSubmit: (text: string) => void): ReactNode => (
    <EntryPage
      key={prompt}
      title="New subagent"
      notes={problem === undefined ? [] : [[{ text: toShown(problem), token: 'AccentRed' }]]}
      keys="Enter: continue · Esc: cancel"
      prompt={prompt}
      columns={columns}
      onSubmit={onSubmit}
      onCancel={onClose}
    />
  );

  if (scope === undefined) {
    return (
      <ListPage
        {...place}
        title="Where should the new subagent be stored?"
        choices={[
          { value: 'project' as const, label: 'For this project', detail: '.qwen/agents, shared with the project' },
          { value: 'user' as const, label: 'For me, in all projects' },
        ]}
        onChoose={(chosen) => add({ scope: chosen })}
      />
    );
  }
  if (name === undefined) {
    return ask('Name', (text) =>
      isAgentName(text.trim()) ? add({ name: text.trim() }) : setProblem('Letters, digits, spaces, ".", "_" and "-"'),
    );
  }
  if (description === undefined) {
    return ask('Description: the model uses it to choose the subagent', (text) =>
      text.trim() === '' ? setProblem('Enter a description.') : add({ description: text.trim() }),
    );
  }
  if (tools === undefined) {
    return (
      <ListPage
        {...place}
        title="Which tools may it use?"
        choices={[
          { value: undefined, label: 'All tools', detail: 'asks for permission as usual' },
          { value: FILE_READING_TOOLS, label: 'Read-only tools', detail: FILE_READING_TOOLS.join(', ') },
        ]}
        onChoose={(names) => add({ tools: { names } })}
      />
    );
  }
  return ask('System prompt', (systemPrompt) => {
    if (systemPrompt.trim() === '') return setProblem('Enter a system prompt.');
    const { configDir, cwd } = session.configuration;
    const made = createAgentFile(
      { name, description, systemPrompt, ...(tools.names !== undefined && { tools: tools.names }) },
      { scope, configDir, cwd },
    );
    made
      .then(async (path) => {
        onClose();
        session.print([[{ text: `The subagent ${toShown(name)} is in ${toShown(path)}.`, token: 'AccentGreen' }]]);
        await session.reloadAgents();
      })
      .catch((thrown: unknown) => setProblem(AgentError.from(thrown).message));
  });
}

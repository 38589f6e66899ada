import type { AgentInfo } from '@qwen/commands';
import { type ReactNode, useState } from 'react';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { TextPage } from './text-page.js';
import { useLoaded } from './use-loaded.js';

export function AgentsPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const [loaded] = useLoaded(async () => (await session.commands()).host.agents.list());
  const [shown, setShown] = useState<AgentInfo>();
  const agents = loaded.state === 'ready' ? loaded.value : [];
  if (shown !== undefined) {
    const tools = shown.tools === undefined ? 'all' : shown.tools.join(', ') || 'none';
    const text = `${shown.description}\n\nTools: ${tools}\nFrom: ${shown.source}`;
    return <TextPage title={shown.name} {...{ text, columns, rows }} onClose={() => setShown(undefined)} />;
  }
  return (
    <ListPage
      title="Subagents"
      notes={
        agents.length > 0
          ? []
          : [
              [
                {
                  text: loaded.state === 'failed' ? loaded.message : 'No subagents yet. Create one with /agents create',
                  token: 'Gray',
                },
              ],
            ]
      }
      choices={agents.map((agent) => ({ value: agent, label: agent.name, detail: agent.description }))}
      columns={columns}
      rows={rows}
      onChoose={setShown}
      onCancel={onClose}
    />
  );
}

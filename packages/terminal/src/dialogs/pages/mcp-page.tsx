import type { McpServerInfo } from '@qwen/commands';
import { type ReactNode, useEffect, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { TextPage } from './text-page.js';
import { useLoaded } from './use-loaded.js';

export function McpPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const [loaded, reload] = useLoaded(async () => (await session.commands()).host.mcp.list());
  const [name, setName] = useState<string>();
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<string>();
  // Server states change while the page is open.
  const states = session.mcp.list().map(({ name: one, status }) => `${one} ${status}`);
  useEffect(reload, [reload, states.join('\n')]);
  const servers = loaded.state === 'ready' ? loaded.value : [];
  const server = servers.find((one) => one.name === name);
  if (server === undefined) {
    const note = loaded.state === 'loading' ? 'Asking…' : 'No MCP servers. Add one with: qwen mcp add NAME …';
    return (
      <ListPage
        title="MCP servers"
        notes={servers.length === 0 ? [[{ text: note, token: 'Gray' }]] : []}
        choices={servers.map((one) => ({ value: one.name, label: one.name, detail: stateOf(one) }))}
        columns={columns}
        rows={rows}
        onChoose={setName}
        onCancel={onClose}
      />
    );
  }
  if (isReading) {
    const text =
      server.tools.map((tool) => `${tool.name}\n  ${tool.description}`).join('\n\n') || 'This server has no tools.';
    return (
      <TextPage
        title={`Tools of ${toShown(server.name)}`}
        {...{ text, columns, rows }}
        onClose={() => setReading(false)}
      />
    );
  }
  const reconnect = async (): Promise<void> => {
    await (await session.commands()).host.mcp.reconnect(server.name);
    setFailure(undefined);
    reload();
  };
  return (
    <ListPage
      title={toShown(server.name)}
      notes={[
        [{ text: stateOf(server) }],
        ...(failure === undefined ? [] : [[{ text: toShown(failure), token: 'AccentRed' } as const]]),
      ]}
      choices={[
        { value: 'tools' as const, label: `Show its tools (${server.tools.length})` },
        { value: 'connect' as const, label: 'Reconnect' },
        { value: 'back' as const, label: 'Back' },
      ]}
      columns={columns}
      rows={rows}
      onChoose={(choice) => {
        if (choice === 'tools') setReading(true);
        else if (choice === 'back') setName(undefined);
        else
          reconnect().catch((thrown: unknown) => setFailure(thrown instanceof Error ? thrown.message : 'It failed.'));
      }}
      onCancel={() => setName(undefined)}
    />
  );
}

function stateOf({ status, error, needsSignIn, tools, name }: McpServerInfo): string {
  if (needsSignIn) return `not signed in; run: qwen mcp login ${name}`;
  return status === 'connected'
    ? `connected, ${tools.length} tools`
    : `${status}${error === undefined ? '' : `: ${error}`}`;
}

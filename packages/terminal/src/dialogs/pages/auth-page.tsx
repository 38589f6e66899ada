import { toAccount } from '@qwen/host/config/account.js';
import { readEnvironment } from '@qwen/host/config/env.js';
import { type ReactNode, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { ProviderSetup } from './provider-setup.js';
import { reportFailure } from './report-failure.js';
import type { ChosenProvider } from './use-provider-setup.js';

/** The values of these variables are never shown. */
const WAYS: readonly { readonly name: string; readonly variables: readonly string[] }[] = [
  { name: 'OpenAI or a compatible endpoint', variables: ['OPENAI_API_KEY', 'OPENAI_BASE_URL'] },
  { name: 'Qwen models on DashScope', variables: ['DASHSCOPE_API_KEY'] },
  { name: 'Gemini', variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'] },
  { name: 'Claude', variables: ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'] },
  { name: 'Gemini on Vertex AI', variables: ['GOOGLE_GENAI_USE_VERTEXAI', 'GOOGLE_CLOUD_PROJECT'] },
];

/** The connection test requests the list of models, which is free. */
export function AuthPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const [verdict, setVerdict] = useState<StyledLine>();
  const [isChoosing, setChoosing] = useState(false);
  const { configuration } = session;
  const { provider, host, credentialSource } = toAccount(
    configuration.routes.of(session.store.getState().model).provider,
  );
  const use = ({ profile, model }: ChosenProvider): void => {
    configuration.routes.add(profile);
    onClose();
    reportFailure(session, session.setModel(`${profile.name}/${model}`));
  };
  const test = async (): Promise<void> => {
    setVerdict([{ text: 'Connecting…', token: 'Gray' }]);
    const { names, reason } = await (await session.commands()).host.session.models();
    setVerdict(
      reason === undefined
        ? [{ text: `Connected. The provider lists ${names.length} models.`, token: 'AccentGreen' }]
        : [{ text: toShown(reason), token: 'AccentRed' }],
    );
  };
  if (isChoosing) {
    return (
      <ProviderSetup
        title="Choose a provider"
        configDir={configuration.configDir}
        environment={readEnvironment(process.env)}
        settings={configuration.settings}
        isFirst={false}
        columns={columns}
        rows={rows}
        escape="back"
        onDone={use}
        onCancel={() => setChoosing(false)}
      />
    );
  }
  const notes: StyledLine[] = [
    provider === undefined
      ? [{ text: 'No model is configured.', token: 'AccentYellow' }]
      : [
          {
            text: `In use: ${provider} at ${toShown(host ?? '')}, ${credentialSource === undefined ? 'without a key' : `with ${credentialSource}`}`,
          },
        ],
    ...WAYS.map(
      ({ name, variables }): StyledLine => [
        { text: `${name}: ` },
        ...variables.map((variable, place) => ({
          text: `${place === 0 ? '' : ', '}${variable} ${process.env[variable] === undefined ? 'is not set' : 'is set'}`,
          token: process.env[variable] === undefined ? ('Gray' as const) : ('AccentGreen' as const),
        })),
      ],
    ),
    ...(verdict === undefined ? [] : [verdict]),
  ];
  return (
    <ListPage
      title="Account"
      notes={notes}
      choices={[
        { value: 'test' as const, label: 'Test the connection' },
        { value: 'choose' as const, label: 'Choose another provider or enter a key' },
        { value: 'close' as const, label: 'Close' },
      ]}
      columns={columns}
      rows={rows}
      onChoose={(choice) => {
        if (choice === 'close') return onClose();
        if (choice === 'choose') return setChoosing(true);
        test().catch(() => setVerdict([{ text: 'The commands could not be loaded.', token: 'AccentRed' }]));
      }}
      onCancel={onClose}
    />
  );
}

// Undo what the agent did since a message: preview the change, restore the files, and send another prompt instead.
import { query, type SDKUserMessage } from '@qwen/sdk';

const messageId = crypto.randomUUID();
const { promise: rewound, resolve: sendNext } = Promise.withResolvers<void>();

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', uuid: messageId, message: { role: 'user', content: 'Shorten menu.txt.' } };
  await rewound;
  yield { type: 'user', message: { role: 'user', content: 'Which coffee is on the menu?' } };
}

const running = query({ prompt: prompts(), options: { permissionMode: 'auto-edit' } });
let results = 0;
for await (const message of running) {
  if (message.type !== 'result') continue;
  console.log(message.result);
  results += 1;
  if (results > 1) continue;
  const preview = await running.rewindFiles(messageId, { dryRun: true });
  console.log(`changes: +${preview.insertions} -${preview.deletions} lines`);
  await running.rewindFiles(messageId);
  console.log(`rewound: ${await running.rewindConversation(messageId)}`);
  sendNext();
}

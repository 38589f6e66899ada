import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

test('the model reads what the user ran, and an interactive command has the terminal', async () => {
  await using terminal = await openTerminal({ columns: 150, model: [says('Seen'), says('Seen too')] });
  await terminal.until(READY);
  await terminal.send('!echo from-the-shell; exit 3');
  await untilFree(terminal, 'from-the-shell');
  await terminal.send('What was that?');
  await untilFree(terminal, 'Seen');
  const request = JSON.stringify(terminal.model.requests.at(-1)?.messages);
  expect(request).toContain('<user_command>echo from-the-shell; exit 3</user_command>');
  expect(request).toMatch(/The user, not you, ran this command.*from-the-shell/);

  await terminal.send(
    '!!tty && read line && echo "$line" > typed; trap "exit 9" INT; echo waits; while sleep 0.1; do :; done',
  );
  await terminal.until(/^\/dev\/pts\/\d+$/m);
  terminal.type('typed into the command\r');
  await terminal.until(/^waits$/m);
  terminal.press('ctrl-c');
  await untilFree(terminal, 'ended with exit code 9.');
  expect(await terminal.workspace.read('project/typed')).toBe('typed into the command\n');
  await terminal.send('Still here?');
  await untilFree(terminal, 'Seen too');
  expect(JSON.stringify(terminal.model.requests.at(-1)?.messages)).toContain('You cannot see what it printed.');
});

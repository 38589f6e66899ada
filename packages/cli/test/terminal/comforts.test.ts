import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const ANSWER = 'See [the docs](https://example.com/docs).';

test('/diff, /context, /plan, /copy, /vim and links', async () => {
  const write = calls({ name: 'write_file', input: { file_path: 'a_b_c.txt', content: 'new\n' } });
  await using terminal = await openTerminal({
    model: [write, says(ANSWER), says('Planned'), says('Edited')],
    args: ['--approval-mode', 'auto-edit'],
    env: { TERM_PROGRAM: 'WezTerm' },
    columns: 100,
    rows: 40,
  });
  await terminal.until(READY);
  await terminal.send('Write it');
  await untilFree(terminal, 'See the docs (https://example.com/docs)');
  // Links are written with the finished lines.
  await terminal.until(/ in · .* out/);
  expect(terminal.written).toContain('\u001b]8;;https://example.com/docs\u001b\\');
  expect(terminal.written).toMatch(/\u001b\]8;;file:\/\/\/\S*a_b_c\.txt\u001b\\/);

  await terminal.send('/diff');
  const diff = await untilFree(terminal, '1 file changed (+1 -0 lines)');
  expect(diff).toMatch(/\+\+\+ .*a_b_c\.txt[^]*@@ -0,0 \+1,1 @@\n\+new/);
  await terminal.send('/context');
  expect(await untilFree(terminal, 'The sizes of the parts are estimates.')).toMatch(/system prompt +[\d,]+/);
  await terminal.send('/copy');
  await untilFree(terminal, 'the clipboard of your terminal (OSC 52)');
  expect(terminal.written).toContain(`\u001b]52;c;${Buffer.from(ANSWER).toString('base64')}\u0007`);

  await terminal.send('/plan Think first');
  await untilFree(terminal, 'Planned');
  expect(terminal.screen).toContain('plan mode');
  expect(JSON.stringify(terminal.model.requests.at(-1)?.messages)).toContain('Plan mode is on');

  await terminal.send('/vim');
  await untilFree(terminal, 'Vi key bindings are on.');
  terminal.type('helo wrld');
  await terminal.until('helo wrld');
  terminal.press('escape');
  await terminal.until('NORMAL');
  terminal.type('0ea');
  await terminal.until((screen) => !screen.includes('NORMAL'));
  terminal.type('!');
  terminal.press('escape');
  await terminal.until('NORMAL');
  terminal.type('wcwworld');
  await terminal.until('helo! world');
  terminal.press('enter');
  await untilFree(terminal, 'Edited');
  expect(JSON.stringify(terminal.model.requests.at(-1)?.messages)).toContain('helo! world');
  expect(await terminal.workspace.read('home/.qwen/settings.json')).toContain('"vimMode": true');
});

import { existsSync } from 'node:fs';
import { calls, FAULTY_MCP_SERVER, hasPrograms, says, verifies } from '@qwen/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, QwenPage } from './browser.js';
import { openPageFixture } from './page-fixture.js';

// The page in a real browser, over the real server. With QWEN_TEST_SCREENSHOTS=1, it leaves pictures
// in `artifacts/`.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const MARKDOWN = `# Result

Some **bold**, \`code\`, a [link](https://example.com/) and a [trap](javascript:alert(1)).

<img src=x onerror="document.title='broken'"><script>document.title='broken'</script>

![picture](https://example.com/spy.png)

| name | size |
|---|---:|
| a | 1 |

\`\`\`ts
const answer = 42;
\`\`\`

- [x] done &amp; dusted
`;

test('the first message starts a session; the answer streams, and markup of the model stays text', async () => {
  await using fixture = await openPageFixture({
    replies: [says(MARKDOWN), says('Again.')],
    pace: { tokensPerSecond: 60 },
  });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.tab.getByText('No sessions yet.').waitFor();
  await page.inspect('empty');
  await page.send('show me');
  await page.shows('show me');
  await page.shows('Some');
  await page.status('working');
  await page.shows('const answer = 42;');
  await page.status('ready');
  expect(await page.box.inputValue()).toBe('');
  expect(await page.tab.title()).toBe('show me · qwen');
  await page.shows(`<img src=x onerror="document.title='broken'">`);
  expect(await page.conversation.locator('img, script, [href^="javascript"]').count()).toBe(0);
  const link = page.conversation.getByRole('link', { name: 'link' });
  expect(await link.getAttribute('rel')).toContain('noopener');
  await page.inspect('markdown');
  await page.send('and again');
  await page.shows('Again.');
  await page.tab.reload();
  await page.shows('Again.');
  await page.shows('const answer = 42;');
});

const write = (name: string, content: string) => calls({ name: 'write_file', input: { file_path: name, content } });
const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const question = (page: QwenPage) => page.tab.getByRole('region', { name: /^(Approval request|Question)/ });

test('an edit waits for approval and shows its changes; the model reads the reason of a denial', async () => {
  verifies('GAP-71', 'J-05');
  const replies = [
    write('README.md', '# Work\n\nMore.\n'),
    says('Written.'),
    shell('touch made.txt && ls'),
    says('Not run.'),
  ];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('write the readme');
  await question(page).getByText('Allow the agent to use write_file?').waitFor();
  // Compared with what the file holds, so one line is added and none removed.
  await question(page).locator('.diff-line.added').filter({ hasText: 'More.' }).waitFor();
  await expect.poll(() => question(page).locator('.diff-line.same').count()).toBe(1);
  expect(await question(page).locator('.diff-line.removed').count()).toBe(0);
  await page.inspect('question-diff');
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await page.shows('Written.');
  expect(await fixture.folder.read('work/README.md')).toBe('# Work\n\nMore.\n');
  await page.status('ready');
  await page.send('make a file');
  await question(page).getByText('touch made.txt && ls').waitFor();
  await question(page)
    .getByLabel(/Reason for denying/)
    .fill('rather not');
  await page.inspect('question-command');
  await question(page).getByRole('button', { name: 'Deny' }).click();
  await page.shows('Not run.');
  await page.shows('denied');
  expect(existsSync(fixture.folder.resolve('work/made.txt'))).toBe(false);
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('rather not');
  await page.inspect('tools');
});

test('an approval for the session shows its rule, and the same call does not ask again', async () => {
  verifies('GAP-71');
  const replies = [shell('touch made.txt'), says('Once.'), shell('touch made.txt'), says('Twice.')];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('make a file');
  await question(page)
    .getByRole('button', { name: /^Always allow in this session: .*touch made\.txt/ })
    .waitFor();
  await page.inspect('question-always');
  await question(page)
    .getByRole('button', { name: /^Always allow/ })
    .click();
  await page.shows('Once.');
  await page.status('ready');
  await page.send('and again');
  await page.shows('Twice.');
  expect(await question(page).count()).toBe(0);
});

const edit = (input: object) => calls({ name: 'edit', input: { file_path: 'notes.txt', ...input } });
const linesOf = async (page: QwenPage, kind: string) => {
  const lines = await question(page).locator(`.diff-line.${kind}`).all();
  return Promise.all(
    lines.map(async (line) => {
      const number = await line.locator('.line-number').textContent();
      return `${number}: ${await line.locator('code').textContent()}`;
    }),
  );
};

test('an edit is shown with its file, every occurrence and the line numbers of the file', async () => {
  verifies('GAP-71', 'J-05');
  const replies = [
    edit({ old_string: 'secret', new_string: 'public', replace_all: true }),
    says('All.'),
    edit({ old_string: 'line 9\npublic 10 public', new_string: 'nine\nten' }),
    says('One.'),
    edit({ old_string: 'nowhere', new_string: 'x', replace_all: true }),
    says('None.'),
  ];
  await using fixture = await openPageFixture({ replies });
  const lines = Array.from({ length: 60 }, (_, at) => (at % 3 === 0 ? `secret ${at + 1} secret` : `line ${at + 1}`));
  await fixture.folder.write('work/notes.txt', `${lines.join('\r\n')}\r\n`);
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('publish');
  await question(page).getByText('File: notes.txt').waitFor();
  await question(page).getByText('40 replacements').waitFor();
  const secrets = lines.flatMap((line, at) => (line.startsWith('secret') ? [`${at + 1}: ${line}`] : []));
  expect(await linesOf(page, 'removed')).toEqual(secrets);
  expect(await linesOf(page, 'added')).toEqual(secrets.map((line) => line.replaceAll('secret', 'public')));
  await page.inspect('question-replace-all');
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await page.shows('All.');
  await page.status('ready');
  const after = await fixture.folder.read('work/notes.txt');
  expect(after.match(/public/g)).toHaveLength(40);
  await page.send('count');
  await question(page).getByText('File: notes.txt').waitFor();
  await expect.poll(() => linesOf(page, 'removed')).toEqual(['9: line 9', '10: public 10 public']);
  expect(await linesOf(page, 'added')).toEqual(['9: nine', '10: ten']);
  expect((await linesOf(page, 'same'))[0]).toBe('6: line 6');
  await page.inspect('question-edit');
});

test('an edit that cannot be compared states how much it replaces', async () => {
  const replies = [edit({ old_string: 'secret', new_string: 'public', replace_all: true }), says('Not run.')];
  await using fixture = await openPageFixture({ replies });
  await fixture.folder.write('work/notes.txt', `secret\n${'x'.repeat(1_600_000)}\nsecret\n`);
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('publish');
  await question(page).getByText('Replaces every occurrence in the file.').waitFor();
  await question(page).getByText('File: notes.txt').waitFor();
  expect(await linesOf(page, 'removed')).toEqual(['1: secret']);
  await question(page).getByRole('button', { name: 'Deny' }).click();
  await page.shows('Not run.');
});

test('a command is shown completely, with all options and with hidden characters escaped', async () => {
  verifies('GAP-71');
  const end = 'touch the-end.txt';
  const command = `echo ${'a'.repeat(3000)} ${' '.repeat(500)} ${'\n'.repeat(200)}echo \u202egnp\u200b.txt\u0085 && ${end}`;
  const replies = [
    calls({ name: 'run_shell_command', input: { command, description: 'Lists \u2067files', is_background: false } }),
    says('Not run.'),
  ];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('look');
  const shown = question(page).getByText(end);
  await shown.waitFor();
  const text = (await question(page).locator('code').filter({ hasText: end }).textContent()) ?? '';
  expect(text).toContain('echo \\u202egnp\\u200b.txt\\u0085 && touch the-end.txt');
  expect(text.length).toBeGreaterThan(3700);
  await question(page).getByText('shell, 201 lines, hidden characters are written as \\uXXXX').waitFor();
  await question(page).getByText('"is_background": false').waitFor();
  expect(await question(page).textContent()).not.toMatch(/[\u0085\u200b\u202e\u2067]/);
  // Wrapped: nothing is beyond the right edge; what is below can be scrolled to.
  const detail = question(page).getByRole('group', { name: 'Details of the call' });
  expect(await detail.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
  await shown.evaluate((element) => {
    element.scrollIntoView({ block: 'end' });
  });
  expect(await detail.evaluate((element) => element.scrollTop)).toBeGreaterThan(0);
  await question(page).getByRole('button', { name: 'Deny' }).waitFor();
  await page.inspect('question-long-command');
});

test('the input of an MCP tool is shown completely', async () => {
  const input = { query: 'x'.repeat(5000), nested: { deep: [{ path: '/etc/\u202epasswd' }] }, last: 'the end' };
  const replies = [calls({ name: 'mcp__mine__echo', input }), says('Not run.')];
  await using fixture = await openPageFixture({ replies });
  const mcpServers = { mine: { command: process.execPath, args: [FAULTY_MCP_SERVER, 'none'] } };
  await fixture.folder.write('home/.qwen/settings.json', JSON.stringify({ mcpServers }));
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('ask it');
  await question(page).getByText('Allow the agent to use mcp__mine__echo?').waitFor();
  const text = (await question(page).locator('.approval-detail code').textContent()) ?? '';
  expect(JSON.parse(text)).toEqual(input);
  expect(text).toContain('/etc/\\u202epasswd');
  await page.inspect('question-mcp');
});

test('two pages show the same question, and the answer of one appears on the other', async () => {
  await using fixture = await openPageFixture({ replies: [write('a.txt', 'x\n'), says('Written.')] });
  // The file to compare with is not there yet.
  const accepts = /404/;
  await using one = await QwenPage.open(browser, fixture.url, { accepts });
  await one.send('write a.txt');
  await question(one).waitFor();
  await using other = await QwenPage.open(browser, one.tab.url(), { accepts });
  await question(other).getByRole('button', { name: 'Allow once' }).click();
  await one.shows('Written.');
  await question(one).waitFor({ state: 'detached' });
  expect(await fixture.folder.read('work/a.txt')).toBe('x\n');
});

test('Escape stops the turn, and the next message works', async () => {
  const long = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n\n');
  await using fixture = await openPageFixture({
    replies: [says(long), says('Here again.')],
    pace: { tokensPerSecond: 100 },
  });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('count');
  await page.shows('line 1');
  await page.box.press('Escape');
  await page.shows('Stopped.');
  await page.status('ready');
  await page.send('and now?');
  await page.shows('Here again.');
  expect(await page.conversation.textContent()).not.toContain('line 1999');
});

test('slash and at sign show suggestions; Tab and Enter accept them, by keyboard only', async () => {
  await using fixture = await openPageFixture({ replies: [says('Ready.'), says('I see it.')] });
  await fixture.folder.write('work/src/answer.ts', 'export const answer = 42;\n');
  await fixture.folder.write(
    'work/.qwen/commands/review.toml',
    'description = "Looks closely"\nprompt = "Review {{args}}"\n',
  );
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('hello');
  await page.shows('Ready.');
  await page.status('ready');
  await page.box.pressSequentially('/rev');
  await page.tab.getByRole('option', { name: 'review' }).waitFor();
  await page.inspect('slash-hints');
  await page.box.press('Tab');
  expect(await page.box.inputValue()).toBe('/review ');
  await page.box.fill('');
  await page.box.pressSequentially('explain @src/ans');
  await page.tab.getByRole('option', { name: 'src/answer.ts' }).waitFor();
  await page.box.press('ArrowDown');
  await page.inspect('at-hints');
  await page.box.press('Enter');
  expect(await page.box.inputValue()).toBe('explain @src/answer.ts ');
  await page.box.press('Enter');
  await page.shows('I see it.');
  await page.shows('Read src/answer.ts');
  expect(JSON.stringify(fixture.model.requests.at(-1))).toContain('answer = 42');
});

test.runIf(process.platform === 'linux' && hasPrograms('bwrap'))(
  'a new session selects its sandbox, which the page shows, and cannot loosen that of the server',
  async () => {
    const replies = [shell('touch made.txt || echo refused'), says('Done.')];
    await using fixture = await openPageFixture({ replies, sandbox: 'workspace-write' });
    await using page = await QwenPage.open(browser, fixture.url, { accepts: /403/ });
    const sandbox = page.tab.getByLabel('Sandbox');
    await sandbox.selectOption('No sandbox');
    await page.send('make a file');
    await page.tab.getByText('The sandbox off is looser than workspace-write').waitFor();
    await sandbox.selectOption('Commands change nothing');
    await page.send('make a file');
    await page.shows('Done.');
    await page.tab.getByText('sandbox: read-only').waitFor();
    expect(existsSync(fixture.folder.resolve('work/made.txt'))).toBe(false);
    await page.inspect('sandbox');
  },
);

test('thoughts are folded, and output of commands is shown', async () => {
  const replies = [{ content: 'The answer is 42.', reasoning: 'Let me think about it.' }];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('how much?');
  await page.shows('The answer is 42.');
  const thought = page.conversation.getByText('Let me think about it.');
  expect(await thought.isVisible()).toBe(false);
  await page.conversation.getByText('Thoughts').click();
  await thought.waitFor();
  await page.status('ready');
  await page.send('/stats');
  await page.shows(/Model calls: 1/);
  await page.send('/no-such-thing');
  await page.shows(/Unknown command: \/no-such-thing/);
  await page.inspect('thoughts-and-commands');
});

test('questions of the model are answered by choosing options or with other text', async () => {
  const questions = [
    {
      header: 'Colour',
      question: 'Which colour?',
      options: [{ label: 'Red', description: 'as fire' }, { label: 'Blue' }],
    },
    { question: 'Which sizes?', options: [{ label: 'S' }, { label: 'L' }], multiSelect: true },
  ];
  const replies = [calls({ name: 'ask_user_question', input: { questions } }), says('Noted.')];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('ask me');
  await question(page).getByLabel('Blue').check();
  await question(page).getByLabel('S', { exact: true }).check();
  await question(page).getByLabel('Other').last().fill('and XXL');
  await page.inspect('questions');
  await question(page).getByRole('button', { name: 'Answer', exact: true }).click();
  await page.shows('Noted.');
  const request = JSON.stringify(fixture.model.requests.at(-1));
  expect(request).toContain('Blue');
  expect(request).toContain('S, and XXL');
});

test('text and calls of a subagent appear within its parent call', async () => {
  const task = { description: 'look around', prompt: 'Look around.', subagent_type: 'general-purpose' };
  const replies = [
    calls({ name: 'task', input: task }),
    calls({ name: 'list_directory', input: { path: '.' } }),
    says('I found one file.'),
    says('The helper found one file.'),
  ];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('delegate');
  await page.shows('The helper found one file.');
  const helper = page.conversation.getByRole('group', { name: 'Subagent' });
  await helper.getByText('Steps of the subagent').click();
  await helper.getByText('list_directory').waitFor();
  await helper.getByText('I found one file.').waitFor();
  await page.inspect('subagent');
  expect(await helper.getByText('The helper found').count()).toBe(0);
});

test('the menu of a message restores files and conversation as before it, or forks the session', {
  timeout: 90_000,
}, async () => {
  const replies = [write('made.txt', 'made\n'), says('Made it.'), says('Never mind.')];
  await using fixture = await openPageFixture({ replies, approvalMode: 'yolo' });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('make a file');
  await page.shows('Made it.');
  await page.status('ready');
  const menu = page.tab.getByText('Rewind…');
  await menu.click();
  await page.inspect('rewind');
  await page.tab.getByRole('button', { name: 'Show which files change' }).click();
  await page.shows('This changes 1 file');
  await page.status('ready');
  expect(existsSync(fixture.folder.resolve('work/made.txt'))).toBe(true);
  await menu.first().click();
  await page.tab.getByRole('button', { name: 'Fork the session before this message' }).press('Enter');
  await page.tab.getByRole('heading', { name: 'make a file (fork)' }).waitFor();
  await page.tab.getByText('This session has no messages yet.').waitFor();
  expect(await page.box.inputValue()).toBe('make a file');
  await page.send('make none');
  await page.shows('Never mind.');
  expect(JSON.stringify(fixture.model.requests.at(-1))).not.toContain('make a file');
  await page.status('ready');
  await page.tab.goBack();
  await page.shows('Made it.');
  await menu.first().click();
  await page.tab.getByRole('button', { name: 'Restore conversation and files' }).click();
  await page.shows('The conversation was rewound.');
  expect(existsSync(fixture.folder.resolve('work/made.txt'))).toBe(false);
});

import { calls, says } from '@qwen/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, QwenPage } from './browser.js';
import { openPageFixture } from './page-fixture.js';

// What a user does with several sessions, or while the agent works.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const shell = (command: string) => calls({ name: 'run_shell_command', input: { command } });
const question = (page: QwenPage) => page.tab.getByRole('region', { name: /^(Approval request|Question)/ });
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('sessions are renamed, searched, archived and deleted by keyboard', { timeout: 90_000 }, async () => {
  await using fixture = await openPageFixture({ replies: [says('Ready.'), shell('touch made.txt'), says('Denied.')] });
  await using page = await QwenPage.open(browser, fixture.url);
  const { tab } = page;
  const press = (name: string) => tab.getByRole('button', { name, exact: true }).press('Enter');
  const row = (name: string) => tab.getByRole('listitem').filter({ hasText: name });
  await page.send('hello');
  await page.shows('Ready.');
  await page.status('ready');
  await press('Actions for hello');
  await press('Rename');
  await tab.keyboard.type('Greetings');
  await page.inspect('rename');
  await tab.keyboard.press('Enter');
  await tab.getByRole('heading', { name: 'Greetings' }).waitFor();
  await expect.poll(() => tab.title()).toBe('Greetings · qwen');

  await tab.getByRole('button', { name: 'New session' }).click();
  await page.send('make a file');
  await question(page).waitFor();
  await tab.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
  await row('make a file').getByText('waiting for an answer').waitFor();
  await tab.getByLabel('Search sessions').fill('greet');
  await row('make a file').waitFor({ state: 'detached' });
  await tab.getByLabel('Search sessions').fill('');
  await row('make a file').waitFor();
  await page.inspect('session-list');

  await press('Actions for Greetings');
  await press('Archive');
  await row('Greetings').waitFor({ state: 'detached' });
  await press('Archived sessions');
  await row('Greetings').waitFor();
  await press('Actions for Greetings');
  await press('Unarchive');
  await tab.getByText('No archived sessions.').waitFor();
  await press('Back to sessions');
  await row('Greetings').getByRole('button').first().click();
  await press('Actions for Greetings');
  await press('Delete…');
  await page.inspect('delete');
  await press('Delete');
  await row('Greetings').waitFor({ state: 'detached' });
  expect(new URL(tab.url()).hash).toBe('');
  await press('Actions for make a file');
  await press('Delete…');
  await press('Delete');
  await page.tab.getByText('No sessions yet.').waitFor();
  expect(new URL(page.tab.url()).hash).toBe('');
});

test('while a turn runs, messages are queued, taken back and read by it; drafts and history are kept', {
  timeout: 90_000,
}, async () => {
  const replies = [shell('touch one.txt'), says('I have read it.'), says('Queued one done.')];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  const waiting = page.tab.getByRole('list', { name: 'Queued messages' });
  await page.send('start');
  await question(page).waitFor();
  await page.box.fill('a mistake');
  await page.box.press('Alt+Enter');
  await waiting.getByText('a mistake').waitFor();
  await page.inspect('queued');
  await waiting.getByRole('button', { name: 'Take back' }).click();
  await expect.poll(() => page.box.inputValue()).toBe('a mistake');
  await page.box.fill('then this');
  await page.box.press('Alt+Enter');
  await waiting.getByText('then this').waitFor();
  await page.send('be brief');
  await waiting.getByText('be brief').waitFor();
  await question(page).getByRole('button', { name: 'Allow once' }).click();
  await page.shows('Queued one done.');
  await page.status('ready');
  expect(await page.conversation.getByRole('article', { name: 'You' }).allInnerTexts()).toEqual(
    ['start', 'be brief', 'then this'].map((text) => expect.stringContaining(text)),
  );
  const bodies = fixture.model.requests.map((request) => JSON.stringify(request));
  expect(bodies).toHaveLength(3);
  expect(bodies[1]).toContain('be brief');
  expect(bodies.join()).not.toContain('a mistake');

  await page.box.press('ArrowUp');
  expect(await page.box.inputValue()).toBe('then this');
  await page.box.fill('half a thought');
  await page.tab.getByRole('button', { name: 'New session' }).click();
  expect(await page.box.inputValue()).toBe('');
  await page.tab.goBack();
  await page.shows('I have read it.');
  expect(await page.box.inputValue()).toBe('half a thought');
});

test('pictures and text files are attached; the mode of the session changes', { timeout: 90_000 }, async () => {
  await using fixture = await openPageFixture({
    replies: [says('I see them.'), shell('touch two.txt'), says('Done.')],
  });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.tab.getByLabel('Files to attach').setInputFiles([
    { name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(PIXEL, 'base64') },
    { name: 'notes.md', mimeType: 'text/markdown', buffer: Buffer.from('Remember **this**.') },
    { name: 'tool.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([0, 1, 255]) },
  ]);
  await page.tab.getByText('tool.exe is neither an image').waitFor();
  await page.box.fill('what is this?');
  await page.inspect('attachments');
  await page.box.press('Enter');
  await page.shows('I see them.');
  await page.status('ready');
  await page.conversation.getByRole('img', { name: 'Image from you' }).waitFor();
  await page.conversation.getByText('notes.md').first().waitFor();
  const request = JSON.stringify(fixture.model.requests[0]);
  expect(request).toContain('Remember **this**.');
  expect(request).toContain(PIXEL);
  await page.shows(/tokens in/);

  await page.tab.getByLabel('Approval mode').selectOption('yolo');
  await page.send('make a file');
  await page.shows('Done.');
  expect(await question(page).count()).toBe(0);
  const [file] = await Promise.all([
    page.tab.waitForEvent('download'),
    page.tab
      .getByText('Export', { exact: true })
      .click()
      .then(() => page.tab.getByRole('button', { name: 'Markdown' }).click()),
  ]);
  expect(file.suggestedFilename()).toBe('what-is-this.md');
  await page.tab.keyboard.press('Escape');
  await page.conversation.press('?');
  await page.tab.getByRole('dialog', { name: 'Keyboard' }).waitFor();
  await page.inspect('keyboard');
  await page.tab.keyboard.press('Escape');
  await page.tab.getByRole('button', { name: 'Settings' }).click();
  await page.tab.getByLabel('Theme').selectOption('dark');
  await page.inspect('settings');
});

test('a folder is chosen for a new session; a share link only reads it, until it is revoked', {
  timeout: 90_000,
}, async () => {
  await using fixture = await openPageFixture({ replies: [says('Here.')] });
  await fixture.folder.write('work/inner/file.txt', '');
  await using page = await QwenPage.open(browser, fixture.url);
  await page.tab.getByRole('button', { name: 'Browse…' }).click();
  await page.tab.getByRole('button', { name: 'inner' }).click();
  await page.tab
    .getByRole('dialog')
    .getByText(/work\/inner$/)
    .waitFor();
  await page.inspect('folders');
  await page.tab.getByRole('button', { name: 'Use this folder' }).click();
  expect(await page.tab.getByRole('textbox', { name: 'Folder' }).inputValue()).toMatch(/work\/inner$/);
  await page.send('where are you?');
  await page.shows('Here.');
  await page.status('ready');

  await page.tab.getByRole('button', { name: 'Share' }).click();
  await page.tab.getByRole('button', { name: 'Create link' }).click();
  await page.inspect('share');
  await page.tab.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.tab.getByRole('button', { name: 'Copy the link' }).click();
  await page.tab.getByRole('button', { name: 'Copied' }).waitFor();
  const link = String(await page.tab.evaluate('navigator.clipboard.readText()'));
  await using reader = await QwenPage.open(browser, link, { accepts: /401|403|INCOMPLETE_CHUNKED/ });
  await reader.shows('Here.');
  await reader.inspect('shared');
  expect(await reader.box.count()).toBe(0);
  expect(await reader.tab.getByRole('navigation').count()).toBe(0);
  await page.tab.getByRole('button', { name: 'Revoke' }).click();
  await reader.tab.getByText(/not connected|requires a token/).waitFor();
});

test('on a dark phone, the keyboard shows the output of a background command and stops it', async () => {
  const command = 'echo ready; exec sleep 600';
  const replies = [calls({ name: 'run_shell_command', input: { command, is_background: true } }), says('Started.')];
  await using fixture = await openPageFixture({ replies, approvalMode: 'yolo' });
  await using page = await QwenPage.open(browser, fixture.url, { width: 375, colorScheme: 'dark' });
  const press = (name: string) => page.tab.getByRole('button', { name, exact: true }).press('Enter');
  await page.send('start it');
  await page.shows('Started.');
  await press('1 background command');
  const dialog = page.tab.getByRole('dialog', { name: 'Background commands' });
  await dialog.getByText(command).waitFor();
  await press('Show output');
  await dialog.getByRole('group', { name: 'Output' }).getByText('ready').waitFor();
  await page.inspect('background-commands');
  await press('Stop');
  await dialog.getByText(/^stopped/).waitFor();
  await page.tab.keyboard.press('Escape');
  await expect.poll(() => page.tab.getByRole('button', { name: 'Background commands' }).count()).toBe(1);
});

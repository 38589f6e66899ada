import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { calls, says, verifies } from '@qwen/testkit';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWebTerminal } from './fixture.ts';

// Runs the page in a real browser. With QWEN_TEST_SCREENSHOTS=1, screenshots are stored in `artifacts/`.

const ARTIFACTS = join(import.meta.dirname, 'artifacts');
const COUNTING = Array.from({ length: 2000 }, (_, index) => `line ${index}`).join('\n');

let browser: Browser;
beforeAll(async () => {
  const installed = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
  const executablePath = process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no Chromium: install it, or set CHROMIUM to its path');
  browser = await chromium.launch({ executablePath });
});
afterAll(() => browser?.close());

/** Opens the page. Console errors and warnings fail the test. */
async function openPage(url: string): Promise<Page & AsyncDisposable> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  // Shorter than the test's deadline, so that the error names the awaited condition.
  page.setDefaultTimeout(10_000);
  await page.goto(url);
  await status(page, 'ready');
  return Object.assign(page, {
    async [Symbol.asyncDispose]() {
      await page.close();
      expect(complaints).toEqual([]);
    },
  });
}

const status = (page: Page, text: string) => page.locator('#status').filter({ hasText: text }).waitFor();
const onScreen = (page: Page, text: string | RegExp) => page.locator('.xterm-rows').filter({ hasText: text }).waitFor();
const box = (page: Page) => page.locator('#box');
/** A screenshot without a graphics card takes a second. */
const shoot = async (page: Page, name: string): Promise<void> => {
  if (process.env['QWEN_TEST_SCREENSHOTS'] === '1') await page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
};

test('streams the answer to a typed prompt and clears the box', async () => {
  verifies('A-29', 'A-27');
  await using fixture = await openWebTerminal([says('The quick brown fox jumps.'), says('Again.')], {
    tokensPerSecond: 20,
  });
  await using page = await openPage(fixture.url);
  await box(page).fill('say something');
  await box(page).press('Enter');
  await onScreen(page, '» say something');
  await onScreen(page, 'The quick');
  await expect.poll(() => box(page).inputValue()).toBe('');
  await onScreen(page, 'The quick brown fox jumps.');
  await status(page, 'ready');
  await shoot(page, 'answer');
});

test('/ and @ show suggestions, and Tab accepts one', async () => {
  verifies('A-28');
  await using fixture = await openWebTerminal([
    (request) => says(`I see ${JSON.stringify(request.messages).includes('42') ? 'it' : 'nothing'}.`),
  ]);
  await fixture.workspace.write('src/answer.ts', 'export const answer = 42;\n');
  await using page = await openPage(fixture.url);
  await box(page).pressSequentially('/c');
  await page.getByRole('option', { name: 'chat' }).waitFor();
  await page.getByRole('option', { name: 'compress' }).waitFor();
  await shoot(page, 'slash-hints');
  await box(page).fill('/stats');
  await page.getByRole('option', { name: 'stats' }).first().waitFor();
  await box(page).press('Tab');
  await box(page).press('Enter');
  await onScreen(page, 'Model calls: 0');
  await box(page).fill('/no-such-thing');
  await box(page).press('Enter');
  await onScreen(page, 'Unknown command: /no-such-thing');
  await shoot(page, 'commands');
  await box(page).pressSequentially('explain @src/ans');
  await page.getByRole('option', { name: 'src/answer.ts' }).waitFor();
  await shoot(page, 'at-hints');
  await box(page).press('Tab');
  expect(await box(page).inputValue()).toBe('explain @src/answer.ts ');
  await box(page).press('Enter');
  await onScreen(page, 'I see it.');
});

test('a tool call waits for the button', async () => {
  verifies('A-29', 'J-05');
  const write = (name: string) => calls({ name: 'write_file', input: { file_path: name, content: 'x\n' } });
  await using fixture = await openWebTerminal([
    write('yes.txt'),
    says('Written.'),
    write('no.txt'),
    says('Not written.'),
  ]);
  await using page = await openPage(fixture.url);
  await box(page).fill('write yes.txt');
  await box(page).press('Enter');
  await page.getByText('May the agent use write_file?').waitFor();
  await shoot(page, 'question');
  await page.getByRole('button', { name: 'Approve' }).click();
  await onScreen(page, 'Written.');
  expect(await fixture.workspace.read('yes.txt')).toBe('x\n');
  await status(page, 'ready');
  await box(page).fill('write no.txt');
  await box(page).press('Enter');
  await page.getByRole('button', { name: 'Deny' }).click();
  await onScreen(page, 'Not written.');
  expect(existsSync(fixture.workspace.resolve('no.txt'))).toBe(false);
  await shoot(page, 'tools');
});

test('Escape stops the turn, and the next prompt works', async () => {
  verifies('A-29', 'I-01');
  await using fixture = await openWebTerminal([says(COUNTING), says('Here again.')], { tokensPerSecond: 100 });
  await using page = await openPage(fixture.url);
  await box(page).fill('count');
  await box(page).press('Enter');
  await onScreen(page, 'line 1');
  await box(page).press('Escape');
  await status(page, 'ready');
  await shoot(page, 'cancelled');
  await box(page).fill('and now?');
  await box(page).press('Enter');
  await onScreen(page, 'Here again.');
  expect(await page.locator('.xterm-rows').textContent()).not.toContain('line 1999');
});

test('a reloaded page shows the same screen without answered questions', async () => {
  verifies('A-29');
  await using fixture = await openWebTerminal([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x\n' } }),
    says('Written.'),
  ]);
  await using page = await openPage(fixture.url);
  await box(page).fill('write a.txt');
  await box(page).press('Enter');
  await page.getByRole('button', { name: 'Approve' }).click();
  await onScreen(page, 'Written.');
  await status(page, 'ready');
  await page.reload();
  await onScreen(page, 'Written.');
  expect(await page.getByRole('button').count()).toBe(0);
});

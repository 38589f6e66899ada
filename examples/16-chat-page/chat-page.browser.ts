import { existsSync } from 'node:fs';
import { calls, says } from '@qwen/testkit';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openChatPage } from './fixture.ts';

let browser: Browser;
beforeAll(async () => {
  const installed = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
  const executablePath = process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no Chromium: install it, or set CHROMIUM to its path');
  browser = await chromium.launch({ executablePath });
});
afterAll(() => browser?.close());

test('sends a message, approves a call, and shows the turn again after a lost connection', async () => {
  const write = calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'x' } });
  await using fixture = await openChatPage([write, says('It is written. '.repeat(300))], { tokensPerSecond: 200 });
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  const shown: string[] = [];
  await page.exposeFunction('remember', (text: string) => shown.push(text));
  await page.goto(fixture.url);
  await page.evaluate(`new MutationObserver(() => remember(document.querySelector('#status').textContent))
    .observe(document.querySelector('#status'), { childList: true })`);
  await page.getByLabel('Message').fill('Write a.txt.');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('It is written.').waitFor();
  await fixture.cut();
  await page.getByRole('status').getByText('ready').waitFor();
  const answer = await page.locator('.answer').innerText();
  expect(answer).toBe('It is written. '.repeat(300));
  expect(await page.locator('.call').count()).toBe(1);
  expect(await fixture.workspace.read('a.txt')).toBe('x');
  expect(shown).toContain('connecting again');
  expect(complaints).toEqual([]);
  await page.close();
});

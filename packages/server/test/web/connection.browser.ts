import { says, verifies } from '@qwen/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, QwenPage } from './browser.js';
import { openPageFixture } from './page-fixture.js';

// A page whose server stops, returns or requires a token.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

/** The browser says itself that a request failed. */
const CUT = /ERR_|net::|Failed to load resource/;
const COUNTED = Array.from({ length: 300 }, (_, index) => `w${index}`);

test('an answer that is cut repeatedly ends complete, with no word repeated', async () => {
  verifies('F118', 'F126');
  await using fixture = await openPageFixture({ replies: [says(COUNTED.join(' '))], pace: { tokensPerSecond: 120 } });
  await using page = await QwenPage.open(browser, fixture.url, { accepts: CUT });
  await page.send('count');
  for (const word of ['w20 ', 'w90 ', 'w160 ']) {
    await page.shows(new RegExp(word));
    fixture.wire.cut();
  }
  await page.shows(/w299/);
  await page.status('ready');
  expect((await page.conversation.getByRole('article', { name: 'Agent' }).innerText()).split(/\s+/)).toEqual(COUNTED);
});

test('while the server is down the page reports it, keeps the typed text, and sends it later', async () => {
  await using fixture = await openPageFixture({ replies: [says('Ready.'), says('Twice?')] });
  await using page = await QwenPage.open(browser, fixture.url, { accepts: CUT });
  await page.send('hello');
  await page.shows('Ready.');
  await page.status('ready');
  fixture.wire.isDown = true;
  fixture.wire.cut();
  await page.status('reconnecting');
  await page.send('are you there?');
  await page.inspect('reconnecting');
  fixture.wire.isDown = false;
  await page.shows('Twice?');
  expect(await page.box.inputValue()).toBe('');
  expect(await page.conversation.getByText('are you there?').count()).toBe(1);
});

test('a server restart during a turn shows the turn as interrupted, and the session continues', async () => {
  verifies('F119');
  const replies = [says(COUNTED.join(' ')), says('Going on.')];
  await using fixture = await openPageFixture({ replies, pace: { tokensPerSecond: 60 } });
  await using page = await QwenPage.open(browser, fixture.url, { accepts: CUT });
  await page.send('count');
  await page.shows(/w10 /);
  await fixture.restart();
  await page.shows(/was interrupted/);
  await page.status('ready');
  await page.send('go on');
  await page.shows('Going on.');
  expect(await page.conversation.getByText(/was interrupted/).count()).toBe(1);
});

test('the token is asked for once per tab and is in no address', async () => {
  verifies('Q-07');
  await using fixture = await openPageFixture({ replies: [says('Ready.')], requireAuth: true });
  await using page = await QwenPage.open(browser, fixture.url, { accepts: /401/ });
  await page.tab.getByLabel('Token').fill('wrong');
  await page.inspect('token');
  await page.tab.getByRole('button', { name: 'Continue' }).click();
  await page.tab.getByText('The server rejected this token.').waitFor();
  await page.tab.getByLabel('Token').fill('a-token-of-this-test');
  await page.tab.getByLabel('Token').press('Enter');
  await page.send('hello');
  await page.shows('Ready.');
  await page.tab.reload();
  await page.shows('Ready.');
  expect(page.tab.url()).not.toContain('a-token');
  const addresses = await page.tab.evaluate(() => performance.getEntries().map(({ name }) => name));
  expect(addresses.join(' ')).not.toContain('a-token');
});

test('works on a phone and in dark mode', async () => {
  await using fixture = await openPageFixture({ replies: [says('Hello from **afar**.\n\n```sh\nls\n```')] });
  await using page = await QwenPage.open(browser, fixture.url, { width: 375, colorScheme: 'dark' });
  await page.send('hello');
  await page.shows('afar');
  await page.status('ready');
  await page.inspect('phone');
  await page.tab.getByRole('button', { name: 'Sessions' }).click();
  await page.tab.getByRole('navigation', { name: 'Sessions' }).getByRole('button', { name: 'hello' }).first().waitFor();
  await page.inspect('phone-sessions');
  const width = await page.tab.evaluate('document.documentElement.scrollWidth');
  expect(width).toBe(375);
});

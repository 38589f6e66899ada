import { existsSync } from 'node:fs';
import { calls, says } from '@qwen/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, QwenPage } from './browser.js';
import { openPageFixture } from './page-fixture.js';

// Model and repository choose what an approval request contains and when it appears.

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const question = (page: QwenPage) => page.tab.getByRole('region', { name: /^(Approval request|Question)/ });
const touch = (name: string) => ({ name: 'run_shell_command', input: { command: `touch ${name}` } });

test('a click that was meant for the previous request does not answer the next one', async () => {
  const replies = [calls(touch('one.txt'), touch('two.txt')), says('Done.')];
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('make two files');
  const allow = question(page).getByRole('button', { name: 'Allow once' });
  await question(page).getByText('touch one.txt').first().waitFor();
  await expect.poll(() => allow.isEnabled()).toBe(true);
  // From here on, timers of the page wait for the test.
  await page.tab.evaluate(`{
    const { setTimeout } = window;
    const held = [];
    window.setTimeout = (run, ms, ...rest) => (ms > 300 && ms < 3000 ? held.push(run) : setTimeout(run, ms, ...rest));
    window.release = () => {
      window.setTimeout = setTimeout;
      held.forEach((run) => run());
    };
  }`);
  await allow.click();
  await question(page).getByText('touch two.txt').first().waitFor();
  const deny = question(page).getByRole('button', { name: 'Deny' });
  for (const button of [allow, deny]) await button.click({ force: true, noWaitAfter: true });
  await page.tab.evaluate('release()');
  await deny.click();
  await page.shows('Done.');
  expect(existsSync(fixture.folder.resolve('work/one.txt'))).toBe(true);
  expect(existsSync(fixture.folder.resolve('work/two.txt'))).toBe(false);
});

test('a session of the page starts in the mode of the server, and its plan is shown literally', async () => {
  const plan =
    'Tidy up.\n\n[//]: # (then delete the backups)\n\n```sh rm -rf backups\nls\n```\n\n[docs](https://example.com/x)\n';
  const replies = [calls({ name: 'exit_plan_mode', input: { plan } }), says('Not done.')];
  await using fixture = await openPageFixture({ replies, approvalMode: 'plan' });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('plan it');
  await question(page).getByText('Tidy up.').first().waitFor();
  expect(await question(page).locator('code').filter({ hasText: 'Tidy up.' }).textContent()).toBe(plan);
  await question(page).getByRole('button', { name: 'Deny' }).click();
  await page.shows('Not done.');
});

test('a long new file is shown to its last line before it can be allowed', async () => {
  const content = `${Array.from({ length: 600 }, (_, at) => `line ${at + 1}`).join('\n')}\nimport './evil.js';\n`;
  const replies = [calls({ name: 'write_file', input: { file_path: 'long.ts', content } }), says('Not done.')];
  await using fixture = await openPageFixture({ replies });
  // The file to compare with is not there yet.
  await using page = await QwenPage.open(browser, fixture.url, { accepts: /404/ });
  await page.send('write it');
  await question(page).getByText('line 400', { exact: true }).waitFor();
  expect(await question(page).getByText("import './evil.js';").count()).toBe(1);
  await question(page).getByRole('button', { name: 'Deny' }).click();
  await page.shows('Not done.');
});

test('answers and questions of the model show hidden characters', async () => {
  const options = [{ label: 'Ye\u200bs', description: 'saf\u202ee' }, { label: 'No' }];
  const asked = { header: 'Hea\u2066d', question: 'Delete \u202etxt.exe?', options };
  const replies = [calls({ name: 'ask_user_question', input: { questions: [asked] } }), says('Noted.')];
  replies.push(says('See *notes\u202etxt.exe* and `a\u200bb`, [li\u2066nk](https://a.test/), &#8238;cod'));
  await using fixture = await openPageFixture({ replies });
  await using page = await QwenPage.open(browser, fixture.url);
  await page.send('ask me');
  await question(page).getByText('Delete').first().waitFor();
  const text = (await question(page).textContent()) ?? '';
  for (const shown of ['Hea\\u2066d', 'Delete \\u202etxt.exe?', 'Ye\\u200bs', 'saf\\u202ee'])
    expect(text).toContain(shown);
  expect(text).not.toMatch(/[\u200b\u202e\u2066]/);
  await question(page).getByRole('button', { name: 'Decline to answer' }).click();
  await page.shows('Noted.');
  await page.send('go \u202eon');
  await page.shows('See notes\\u202etxt.exe and a\\u200bb, li\\u2066nk, \\u202ecod');
  expect(await page.tab.locator('body').textContent()).not.toMatch(/[\u200b\u202e\u2066]/);
  expect(await page.tab.title()).not.toMatch(/[\u200b\u202e\u2066]/);
});

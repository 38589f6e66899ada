import { existsSync } from 'node:fs';
import { calls, says, verifies } from '@qwen/testkit';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, QwenPage } from './browser.js';
import { openPageStage } from './page-stage.js';

// The page in a real browser, over the real server. Screenshots are left in `artifacts/`, for eyes.

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

test('a session begins with its first message; the answer comes as it is made, and markup of the model stays text', async () => {
  await using stage = await openPageStage({ replies: [says(MARKDOWN), says('Again.')], pace: { tokensPerSecond: 60 } });
  await using page = await QwenPage.open(browser, stage.url);
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

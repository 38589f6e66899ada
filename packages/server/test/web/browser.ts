import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';

const ARTIFACTS = join(import.meta.dirname, 'artifacts');
/** A screenshot without a graphics card takes a second. */
const takesScreenshots = process.env['QWEN_TEST_SCREENSHOTS'] === '1';

/** Debian's Chromium, or the one that `CHROMIUM` names. The caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const installed = ['chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);
  const executablePath = process.env['CHROMIUM'] ?? installed.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error('there is no Chromium: install it, or set CHROMIUM to its path');
  return chromium.launch({ executablePath });
}

export interface OpenOptions {
  readonly width?: number;
  readonly colorScheme?: 'dark' | 'light';
  /** What the browser may complain about: failed requests where the test makes them fail. */
  readonly accepts?: RegExp;
}

/** The page as a test drives it. What the browser complains about, such as a breach of the policy, fails the test. */
export class QwenPage implements AsyncDisposable {
  readonly tab: Page;
  readonly #complaints: string[] = [];

  private constructor(tab: Page) {
    this.tab = tab;
  }

  static async open(browser: Browser, url: string, options: OpenOptions = {}): Promise<QwenPage> {
    const { width = 1100, colorScheme = 'light', accepts } = options;
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const tab = await context.newPage();
    const page = new QwenPage(tab);
    const note = (text: string) => accepts?.test(text) === true || page.#complaints.push(text);
    tab.on('console', (message) => ['error', 'warning'].includes(message.type()) && note(message.text()));
    tab.on('pageerror', (error) => note(error.message));
    // Below the timeout of a test, so that the error names the selector.
    tab.setDefaultTimeout(10_000);
    await tab.goto(url);
    return page;
  }

  get box() {
    return this.tab.getByLabel('Message to the agent');
  }

  get conversation() {
    return this.tab.getByRole('region', { name: 'Conversation' });
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text);
    await this.box.press('Enter');
  }

  /** Waits for words in the conversation. */
  async shows(text: string | RegExp): Promise<void> {
    await this.conversation.getByText(text).first().waitFor();
  }

  /** Waits for a word in the line above the conversation. */
  async status(word: 'ready' | 'working' | 'reconnecting' | 'not connected'): Promise<void> {
    await this.tab.locator('[data-status]').filter({ hasText: word }).waitFor();
  }

  async #leavePicture(name: string): Promise<void> {
    if (takesScreenshots) await this.tab.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
  }

  /** Lets axe look for what people with other senses than eyes would stumble over. */
  async inspect(name: string): Promise<void> {
    await this.#leavePicture(name);
    // Past the policy of the page, which forbids scripts of others.
    const session = await this.tab.context().newCDPSession(this.tab);
    await session.send('Runtime.evaluate', { expression: axe.source });
    const { result } = await session.send('Runtime.evaluate', {
      expression: `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))`,
      awaitPromise: true,
      returnByValue: true,
    });
    expect(result.value, name).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The last screenshot explains a failed test.
    await this.#leavePicture('last');
    await this.tab.context().close();
    expect(this.#complaints).toEqual([]);
  }
}

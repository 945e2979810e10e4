import { after, before, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { newPage, startBrowser } from './browser.ts';
import { expectStatus } from './expect.ts';
import type { Setup } from './setups.ts';

/** A page of the console in Chromium, logged in as the operator. */
export interface OpenConsole {
  readonly page: Page;
  /** The errors that the browser has reported so far. */
  readonly errors: readonly string[];
  /** Opens a page of the console by its path after `#`, and waits for its title. */
  readonly open: (path: string, title: string) => Promise<void>;
  readonly press: (name: string | RegExp) => Promise<void>;
  readonly fill: (label: string, text: string) => Promise<void>;
}

/** Returns a function that declares tests, which share a browser. Without a browser, a test prints that and passes. */
export function browserTests(setup: Setup) {
  let browser: Browser | undefined;
  before(async () => {
    browser = await startBrowser();
  });
  after(() => browser?.close());
  return (title: string, work: (console: OpenConsole) => Promise<void>): void => {
    test(title, async (t) => {
      if (browser === undefined) return t.diagnostic('Chromium is not installed: the console is not tested');
      const opened = await openConsole(setup, browser);
      try {
        await work(opened);
      } catch (error) {
        const shown = await opened.page.locator('body').innerText();
        throw new Error(`The page shows:\n${shown}`, { cause: error });
      } finally {
        // An open page would follow the events of the next tests, and read their changes.
        await opened.page.context().close();
      }
    });
  };
}

async function openConsole(setup: Setup, browser: Browser): Promise<OpenConsole> {
  const { page, errors } = await newPage(browser);
  const link = await setup.operator.post('/operator/v1/console/links', undefined);
  const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
  await page.goto(expectStatus<{ url: string }>(link, 201).url);
  await heading('Overview');
  return {
    page,
    errors,
    async open(path, title) {
      await page.goto(`${setup.bootstrap.url}/console/#${path}`);
      await heading(title);
    },
    press: (name) =>
      page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name }).click(),
    fill: (label, text) => replaceText(page.getByRole('textbox', { name: label, exact: true }), text),
  };
}

/**
 * Replaces the text of a field. In an editor, a key selects the whole text. `fill` would change the selection of the
 * document instead. An editor that draws itself at that moment removes the selection, and its old text stays.
 */
export async function replaceText(field: Locator, text: string): Promise<void> {
  const isEditor = await field.evaluate(
    (element: { readonly isContentEditable?: boolean }) => element.isContentEditable === true,
  );
  if (!isEditor) return field.fill(text);
  await field.press('ControlOrMeta+a');
  await field.page().keyboard.insertText(text);
}

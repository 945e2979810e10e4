import type { Page, Request } from 'playwright-core';
import { until } from './expect.ts';

/**
 * The result of a crawl. Each finding is a request that the service has rejected, or a dialog that a button has opened,
 * with the address of the page.
 */
export interface Crawl {
  readonly visited: readonly string[];
  readonly findings: readonly string[];
}

interface CrawlOptions {
  /** Addresses to open first, besides those to which links lead. */
  readonly first?: readonly string[];
  /** Maximum number of buttons to press of those whose names begin with the same word; by default, all. */
  readonly mostAlike?: number;
  /** Called for each page, tab and dialog that is shown. */
  readonly check?: (place: string) => Promise<void>;
}

const MAX_PAGES = 80;
/** Ids in addresses. One page of a kind is enough: the pages of all users, for example, have the same buttons. */
const IDS = /[0-9a-f]{24}/g;

/**
 * Opens every page and tab to which links lead from the current page, and presses all of their buttons. Opens only one
 * page of each kind, and only addresses that `isInside` accepts.
 */
export async function crawlConsole(
  page: Page,
  isInside: (address: string) => boolean,
  { first = [], mostAlike = Number.POSITIVE_INFINITY, check = async () => {} }: CrawlOptions = {},
): Promise<Crawl> {
  const watch = watchRequests(page);
  const visited: string[] = [];
  const known = new Set<string>();
  const tabs = new Set<string>();
  const findings = new Set<string>();
  await watch.settled();
  const queue = [...first, ...(await addressesIn(page, 'nav, main'))];
  for (const address of queue) {
    const kind = address.replaceAll(IDS, 'id');
    if (known.has(kind) || !isInside(address)) continue;
    known.add(kind);
    if (visited.push(address) > MAX_PAGES)
      throw new Error(`More than ${MAX_PAGES} pages: ${visited.join(' ')}`);
    const open = async () => {
      await page.goto(`${page.url().split('#')[0]}#${address}`);
      await watch.settled();
    };
    await open();
    await check(address);
    queue.push(...(await addressesIn(page, 'main')));
    const onDialog = (name: string) => check(`${address}, dialog of ${name}`);
    for (const text of await pressButtons(page, watch, { open, mostAlike, onDialog }))
      findings.add(`${address}: ${text}`);
    // A tab has the same tabs as the page where it was found, so do not search it for tabs.
    if (!tabs.has(address)) for (const tab of await tabsOf(page, watch)) queue.push(tab) && tabs.add(tab);
    for (const text of watch.rejected.splice(0)) findings.add(`${address}: ${text}`);
  }
  return { visited, findings: [...findings] };
}

/** Opens each tab, and returns their addresses. */
async function tabsOf(page: Page, watch: Watch): Promise<string[]> {
  const tabs = page.locator('main').getByRole('tab');
  const addresses: string[] = [];
  for (let index = 0; index < (await tabs.count()); index++) {
    await tabs.nth(index).click();
    await watch.settled();
    addresses.push(new URL(page.url()).hash.slice(1));
  }
  return addresses;
}

interface Pressing {
  /** Opens the page again. */
  readonly open: () => Promise<void>;
  readonly mostAlike: number;
  readonly onDialog: (button: string) => Promise<void>;
}

/** Presses each button, and returns those that open a dialog. */
async function pressButtons(
  page: Page,
  watch: Watch,
  { open, mostAlike, onDialog }: Pressing,
): Promise<string[]> {
  const opened: string[] = [];
  const pressed = new Map<string, number>();
  const buttons = page.locator('main').getByRole('button', { disabled: false });
  for (let index = 0; index < (await buttons.count()); index++) {
    const button = buttons.nth(index);
    const name = (await button.getAttribute('aria-label')) ?? (await button.innerText());
    const [kind = ''] = name.split(' ');
    const count = pressed.get(kind) ?? 0;
    if (count >= mostAlike) continue;
    pressed.set(kind, count + 1);
    const before = page.url();
    await button.click();
    await watch.settled();
    const hasDialog = (await page.getByRole('dialog').count()) > 0;
    if (hasDialog) {
      opened.push(`the button ${name} opens a dialog`);
      await onDialog(name);
      await page.keyboard.press('Escape');
    }
    if ((await page.getByRole('dialog').count()) > 0 || page.url() !== before) {
      // A page with the same address would keep its dialog. The key may have reached an editor in the dialog.
      await page.reload();
      await open();
    }
  }
  return opened;
}

async function addressesIn(page: Page, where: string): Promise<string[]> {
  const links = page.locator(where).locator('a[href^="#/"]');
  return links.evaluateAll((found) => found.map((link) => link.getAttribute('href')?.slice(1) ?? '/'));
}

interface Watch {
  /** Requests to the API that were rejected since this list was last emptied. */
  readonly rejected: string[];
  /** Waits until the page has received and displayed the data that it requested. */
  settled(): Promise<void>;
}

function watchRequests(page: Page): Watch {
  const pending = new Set<Request>();
  const rejected: string[] = [];
  // Do not wait for a stream of events, because it stays open.
  const isCounted = (request: Request) => !request.url().includes('/events/stream');
  page.on('request', (request) => isCounted(request) && pending.add(request));
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  page.on('response', (response) => {
    const { status, method, path } = {
      status: response.status(),
      method: response.request().method(),
      path: new URL(response.url()).pathname,
    };
    if (status === 401 || status === 403) rejected.push(`${method} ${path} answers ${status}`);
  });
  const painted = () =>
    page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return {
    rejected,
    async settled() {
      let quiet = 0;
      await until(
        `the end of requests of ${page.url()}`,
        async () => {
          await painted();
          // The title is missing until the code of the page is loaded.
          const isShown = (await page.locator('main h1').count()) > 0;
          quiet = isShown && pending.size === 0 ? quiet + 1 : 0;
          return [...pending].map((request) => request.url());
        },
        () => quiet === 2,
      );
    },
  };
}

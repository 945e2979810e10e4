import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

/** Where Debian, Alpine, macOS and other systems install Chromium or Chrome. */
const programs = [
  process.env.CHROMIUM ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** How long the browser may take to start, and a page to display something, on a busy machine. */
const TIMEOUT_MS = 240_000;

/** Starts the installed Chromium; undefined if there is none. */
export async function startBrowser(): Promise<Browser | undefined> {
  const executablePath = programs.find((path) => path !== '' && existsSync(path));
  if (executablePath === undefined) return undefined;
  // Disable the sandbox, which needs rights that containers and root lack. The browser opens only pages of the tested
  // service.
  const args = ['--no-sandbox', '--disable-dev-shm-usage'];
  return chromium.launch({ executablePath, args, timeout: TIMEOUT_MS });
}

/** Opens a page that records the errors of the browser, such as a violation of the content security policy. */
export async function newPage(browser: Browser): Promise<{ readonly page: Page; readonly errors: string[] }> {
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width: 1400, height: 900 },
    reducedMotion: 'reduce',
  });
  // Tests open further tabs of the context.
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // Ignore the session request of a browser that is not logged in, and requests for deleted clusters.
    if (message.type() === 'error' && !/status of (401|404)/.test(message.text()))
      errors.push(message.text());
  });
  return { page, errors };
}

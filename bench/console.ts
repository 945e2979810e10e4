import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { buildConsoleIfStale } from '../scripts/build/console.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { type Client, clusterBody, milliseconds, type RunningService, withService } from './support.ts';

const ROUNDS = 5;
const KB = 1000;
/** How long to wait until a page has finished its work. */
const QUIET_MS = 500;

/**
 * The pages of the console in Chromium: transferred bytes, time, and work of the main thread. The variable `CHROMIUM`
 * can contain the path of the program.
 */
export const console: Part = {
  name: 'console',
  async measure() {
    const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium'].find((path) => existsSync(path));
    if (executablePath === undefined) return [];
    await buildConsoleIfStale(dirname(import.meta.dirname));
    const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
    try {
      return await withService((service, client) => figuresOf(browser, service, client));
    } finally {
      await browser.close();
    }
  },
};

async function figuresOf(browser: Browser, service: RunningService, client: Client): Promise<Figure[]> {
  const project = `/groups/${service.bootstrap.groupId}`;
  await client.call('POST', `${project}/clusters`, clusterBody('harbour'));
  const first: { readonly ms: number; readonly bytes: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) first.push(await firstPage(browser, service));
  const slowest = await slowestPage(browser, service);
  return [
    {
      name: 'console: first page after login, cold cache',
      value: median(first.map(({ ms }) => ms)),
      unit: 'ms',
      target: atMost(1000),
    },
    {
      name: 'console: transfer of the first page',
      value: median(first.map(({ bytes }) => bytes)) / KB,
      unit: 'kB',
      target: atMost(300),
    },
    {
      name: `console: CPU time of the main thread for the slowest page, ${slowest.page}`,
      value: slowest.ms,
      unit: 'ms',
      target: atMost(150),
    },
  ];
}

/** Creates a login link, as the command `portolan console` does. */
async function loginLink({ bootstrap }: RunningService, context: BrowserContext): Promise<string> {
  const made = await context.request.post(`${bootstrap.url}/operator/v1/console/links`, {
    headers: { authorization: `Bearer ${bootstrap.operatorToken}` },
  });
  const { url } = (await made.json()) as { readonly url: string };
  return url;
}

const overview = (page: Page) => page.getByRole('heading', { name: 'Overview' }).waitFor();

/** Measures the time from the click on a login link until the overview displays the cluster. */
async function firstPage(browser: Browser, service: RunningService) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const url = await loginLink(service, context);
  const page = await context.newPage();
  let bytes = 0;
  const protocol = await context.newCDPSession(page);
  await protocol.send('Network.enable');
  protocol.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const begun = performance.now();
  await page.goto(url);
  await page.getByRole('link', { name: 'harbour' }).waitFor();
  const ms = milliseconds(begun);
  await context.close();
  return { ms, bytes };
}

/** Opens every page. Returns the one that keeps the main thread busy for longest. */
async function slowestPage(browser: Browser, service: RunningService) {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const page = await context.newPage();
  await page.goto(await loginLink(service, context));
  await overview(page);
  const protocol = await context.newCDPSession(page);
  await protocol.send('Performance.enable');
  const project = `/projects/${service.bootstrap.groupId}`;
  const pages: Readonly<Record<string, string>> = {
    clusters: `${project}/clusters`,
    'one cluster': `${project}/clusters/harbour`,
    measurements: `${project}/clusters/harbour/measurements`,
    data: `${project}/data/harbour`,
    backups: `${project}/backups/harbour`,
    'database access': `${project}/access`,
    operations: `${project}/operations`,
    alerts: `${project}/alerts`,
    events: `${project}/events`,
    requests: '/requests',
    tasks: '/tasks',
    laboratory: '/laboratory',
  };
  const times: { readonly page: string; readonly ms: number }[] = [];
  for (const [name, path] of Object.entries(pages)) {
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto(`${service.bootstrap.url}/console/#/`);
      await page.waitForTimeout(QUIET_MS);
      const before = await busyTime(protocol);
      await page.goto(`${service.bootstrap.url}/console/#${path}`);
      await page.waitForTimeout(QUIET_MS);
      rounds.push((await busyTime(protocol)) - before);
    }
    times.push({ page: name, ms: median(rounds) });
  }
  await context.close();
  const [slowest] = times.toSorted((one, other) => other.ms - one.ms);
  return slowest ?? { page: 'none', ms: Number.NaN };
}

/** How long the main thread has been busy with tasks so far, in milliseconds. */
async function busyTime(protocol: Awaited<ReturnType<BrowserContext['newCDPSession']>>): Promise<number> {
  const { metrics } = await protocol.send('Performance.getMetrics');
  return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
}

/**
 * `npm run screenshots` writes the pictures of the console to `docs/console`. It uses a new service with a cluster, and
 * an installed Chromium (`CHROMIUM` names another one).
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Browser, chromium, type Page, type Request } from 'playwright-core';
import { type Client, connect } from '../packages/portolan/src/tour/client.ts';
import { type RunningService, startService } from '../packages/portolan/src/tour/process.ts';
import { buildConsoleIfStale } from './build/console.ts';

const root = dirname(import.meta.dirname);
const target = join(root, 'docs', 'console');
const SIZE = { width: 1200, height: 750 };
/** Time for a page to load its data and to draw its charts. */
const SETTLE_MS = 2000;
/** Seconds of service time per second of machine time. Nodes are measured every ten seconds of machine time. */
const PACE = 6;
const ROUNDS = 160;
const ROUND_MS = 500;

type Scheme = 'dark' | 'light';

/** The pictures: name, path after `#` (relative to the project unless it begins with a slash), and color scheme. */
const pictures: readonly (readonly [name: string, path: string, scheme: Scheme])[] = [
  ['overview', '/', 'light'],
  ['clusters', 'clusters', 'dark'],
  ['cluster', 'clusters/harbour', 'light'],
  ['measurements', 'clusters/harbour/measurements', 'dark'],
  ['documents', 'data/harbour/sample_ports/ports', 'light'],
  ['backups', 'backups/harbour', 'light'],
  ['schedule', 'backups/harbour/schedule', 'dark'],
  ['outage', 'operations/outage/harbour', 'light'],
  ['people', 'people', 'dark'],
  ['alerts', 'alerts/configurations', 'light'],
  ['requests', '/requests', 'dark'],
  ['laboratory', '/laboratory/faults', 'light'],
];

const executablePath = [process.env.CHROMIUM ?? '', '/usr/bin/chromium'].find((path) => existsSync(path));
if (executablePath === undefined) throw new Error('Chromium is not installed');
await buildConsoleIfStale(root);
const folder = mkdtempSync(join(tmpdir(), 'portolan-screenshots-'));
const service = await startService(folder);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
try {
  await prepare(service);
  await takeAll(browser, service);
} finally {
  await browser.close();
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function prepare(running: RunningService): Promise<void> {
  const { bootstrap, authority } = running;
  const client = await connect({ ...bootstrap, authority });
  const project = `/groups/${bootstrap.groupId}`;
  const providerSettings = { providerName: 'AWS', instanceSizeName: 'M10', regionName: 'EU_NORTH_1' };
  const cluster = `${project}/clusters/harbour`;
  await client.call('POST', `${project}/clusters`, {
    name: 'harbour',
    providerBackupEnabled: true,
    providerSettings,
  });
  await settled(async () => (await client.call('GET', cluster)).body.stateName === 'IDLE');
  const command = {
    insert: 'ports',
    documents: ['Riga', 'Visby', 'Turku', 'Gdynia', 'Tallinn'].map((name, _id) => ({
      _id,
      name,
      berths: 3 + 2 * _id,
      opened: { $date: `${2001 + _id}-05-01T08:00:00Z` },
    })),
  };
  await client.call('POST', `${cluster}/commands`, { database: 'sample_ports', command });
  await client.call('POST', `${cluster}/backup/snapshots`, {
    description: 'before the season',
    retentionInDays: 7,
  });
  await passTime(running, client, cluster);
}

/** Lets some minutes of service time pass while queries run, so that charts have something to show. */
async function passTime({ bootstrap }: RunningService, client: Client, cluster: string): Promise<void> {
  const context = await browser.newContext({ ignoreHTTPSErrors: true });
  const setRate = (rate: number) =>
    context.request.patch(`${bootstrap.url}/operator/v1/clock`, {
      headers: { authorization: `Bearer ${bootstrap.operatorToken}` },
      data: { rate },
    });
  await setRate(PACE);
  for (let round = 0; round < ROUNDS; round++) {
    const count = Math.round(10 + 8 * Math.sin(round / 20));
    for (let n = 0; n < count; n++)
      await client.call('POST', `${cluster}/commands`, {
        database: 'sample_ports',
        command: { find: 'ports', filter: { berths: { $gt: n } } },
      });
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS));
  }
  await setRate(1);
  await context.close();
}

async function settled(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 100));
}

async function takeAll(open: Browser, { bootstrap }: RunningService): Promise<void> {
  mkdirSync(target, { recursive: true });
  const context = await open.newContext({ ignoreHTTPSErrors: true, viewport: SIZE, timezoneId: 'UTC' });
  const made = await context.request.post(`${bootstrap.url}/operator/v1/console/links`, {
    headers: { authorization: `Bearer ${bootstrap.operatorToken}` },
  });
  const page = await context.newPage();
  const quiet = quietOf(page);
  await page.goto(((await made.json()) as { readonly url: string }).url);
  for (const [name, path, scheme] of pictures) {
    const address = path.startsWith('/') ? path : `/projects/${bootstrap.groupId}/${path}`;
    await take({ page, quiet }, name, `${bootstrap.url}/console/#${address}`, scheme);
  }
  await context.close();
}

/** Returns a function that waits until the page has received all responses, since a busy machine answers late. */
function quietOf(page: Page): () => Promise<void> {
  let waiting = 0;
  const counted = (step: number) => (request: Request) => {
    if (request.resourceType() !== 'eventsource') waiting += step;
  };
  page.on('request', counted(1)).on('requestfinished', counted(-1)).on('requestfailed', counted(-1));
  return () => settled(async () => waiting === 0);
}

interface Camera {
  readonly page: Page;
  readonly quiet: () => Promise<void>;
}

async function take({ page, quiet }: Camera, name: string, url: string, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await page.goto(url);
  await page.waitForTimeout(SETTLE_MS);
  await quiet();
  // A response can cause further requests.
  await page.waitForTimeout(SETTLE_MS);
  await quiet();
  await page.screenshot({ path: join(target, `${name}.png`) });
}

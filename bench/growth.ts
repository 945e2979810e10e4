import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connect } from '../packages/portolan/src/tour/client.ts';
import { type RunningService, startService } from '../packages/portolan/src/tour/process.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { type Client, milliseconds, withFolder } from './support.ts';

/** The numbers of projects. With nine events each, the largest number results in a million rows. */
const SIZES = [100, 1_000, 10_000, 100_000] as const;
const [FEW, MANY] = [SIZES[0], SIZES[3]];
const EVENTS_PER_PROJECT = 9;
const SAMPLES = 150;
/** Figures that differ by less than this factor count as equal, since a shared machine is noisy. */
const SAME = 1.5;

type Costs = Readonly<Record<(typeof calls)[number] | 'a page by number', number>>;

const calls = [
  'get a project',
  'create a project',
  'first page of projects',
  'page of projects by the link `next`',
] as const;

/** Whether calls take as long with 100,000 projects and a million rows as with a hundred projects. */
export const growth: Part = {
  name: 'growth',
  async measure(): Promise<Figure[]> {
    const measured: (readonly [number, Costs])[] = [];
    for (const size of SIZES) measured.push([size, await costsWith(size)]);
    const [few, , , many] = measured.map(([, costs]) => costs) as [Costs, Costs, Costs, Costs];
    return [
      ...calls.map(
        (name): Figure => ({
          name: `${name}, ${MANY.toLocaleString('en')} projects`,
          value: many[name],
          unit: 'ms',
          baseline: { name: `${FEW} projects`, value: few[name] },
          target: atMost(SAME, 'ratio'),
          curve: measured.map(([size, costs]) => [size, costs[name]] as const),
        }),
      ),
      {
        name: `last page of projects by pageNum, ${MANY.toLocaleString('en')} projects`,
        value: many['a page by number'],
        unit: 'ms',
        target: atMost(50),
      },
    ];
  },
};

function costsWith(projects: number): Promise<Costs> {
  return withFolder(async (folder) => {
    const first = await startService(folder);
    const { orgId } = first.bootstrap;
    await first.stop();
    seed(join(folder, 'portolan.sqlite'), orgId, projects);
    const service = await startService(folder);
    try {
      const client = await connect({ ...service.bootstrap, authority: service.authority });
      return await costs(service, client, projects);
    } finally {
      await service.stop();
    }
  });
}

async function costs({ bootstrap }: RunningService, client: Client, projects: number): Promise<Costs> {
  const page = '/groups?itemsPerPage=20';
  const { body } = await client.call('GET', page);
  const links = body.links as { rel: string; href: string }[];
  const next = new URL(links.find((link) => link.rel === 'next')?.href ?? '');
  const nextPath = `/groups${next.search}`;
  let made = 0;
  return {
    'get a project': await cost(() => client.call('GET', `/groups/${projectId(Math.floor(projects / 2))}`)),
    'create a project': await cost(() =>
      client.call('POST', '/groups', { name: `Grown ${++made}`, orgId: bootstrap.orgId }),
    ),
    'first page of projects': await cost(() => client.call('GET', page)),
    'page of projects by the link `next`': await cost(() => client.call('GET', nextPath)),
    'a page by number': await cost(
      () => client.call('GET', `${page}&pageNum=${Math.floor(projects / 20)}`),
      20,
    ),
  };
}

async function cost(call: () => Promise<{ status: number }>, samples = SAMPLES): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < samples; i++) {
    const start = performance.now();
    const { status } = await call();
    times.push(milliseconds(start));
    if (status >= 300) throw new Error(`a call was answered with ${status}`);
  }
  return median(times);
}

const projectId = (index: number) => (0x5000_0000_0000 + index).toString(16).padStart(24, '0');

/** Inserts rows as the service would, but many times faster. */
function seed(file: string, orgId: string, projects: number): void {
  const database = new DatabaseSync(file);
  database.exec('BEGIN');
  const project = database.prepare(
    "INSERT INTO project (id, org_id, name, created, region_usage, tags) VALUES (?, ?, ?, 0, 'COMMERCIAL_FEDRAMP_REGIONS_ONLY', '[]')",
  );
  const event = database.prepare(
    "INSERT INTO event (id, position, type, org_id, group_id, created) VALUES (?, ?, 'GROUP_CREATED', ?, ?, 0)",
  );
  for (let i = 0; i < projects; i++) {
    const id = projectId(i);
    project.run(id, orgId, `Seeded ${i}`);
    for (let j = 0; j < EVENTS_PER_PROJECT; j++) {
      const eventId = (0x6000_0000_0000 + i * EVENTS_PER_PROJECT + j).toString(16).padStart(24, '0');
      event.run(eventId, `000000000000${eventId}`, orgId, id);
    }
  }
  database
    .prepare("UPDATE counter SET count = count + ? WHERE scope = ? AND kind = 'projects'")
    .run(projects, `org:${orgId}`);
  database.exec('COMMIT');
  database.close();
}

import { atMost, type Figure, median, type Part } from './figure.ts';
import { type Client, clusterBody, milliseconds, withService } from './support.ts';

const FEW = 10;
const MANY = 1_000;
/** How many clusters are created at the same time. */
const AT_ONCE = 20;
const SAMPLES = 60;
/** How many clusters are created, awaited and deleted one by one. */
const CREATIONS = 15;
/** Figures that differ by less than this factor count as equal, since a shared machine is noisy. */
const SAME = 1.5;

const calls = ['first page of clusters', 'get a cluster', 'create a cluster'] as const;
type Costs = Readonly<Record<(typeof calls)[number] | 'to IDLE', number>>;

/** Whether calls take as long with 1,000 running clusters in a project as with ten. */
export const crowd: Part = {
  name: 'crowd',
  measure: () =>
    withService(async ({ bootstrap }, client): Promise<Figure[]> => {
      const project = `/groups/${bootstrap.groupId}`;
      const limit = `${project}/limits/platform.project.deployment.clusters`;
      await expectBelow300(client.call('PATCH', limit, { value: 10_000 }));
      const path = `${project}/clusters`;
      await growTo(client, path, 0, FEW);
      const few = await costs(client, path);
      const start = performance.now();
      await growTo(client, path, FEW, MANY);
      const seconds = milliseconds(start) / 1000;
      const many = await costs(client, path);
      const clusters = `${MANY.toLocaleString('en')} clusters`;
      return [
        ...calls.map(
          (name): Figure => ({
            name: `${name}, ${clusters}`,
            value: many[name],
            unit: 'ms',
            baseline: { name: `${FEW} clusters`, value: few[name] },
            target: atMost(SAME, 'ratio'),
          }),
        ),
        {
          name: `create a cluster until it is IDLE, ${clusters}`,
          value: many['to IDLE'],
          unit: 'ms',
          baseline: { name: `${FEW} clusters`, value: few['to IDLE'] },
        },
        { name: `create ${clusters}, ${AT_ONCE} at a time`, value: seconds, unit: 's' },
      ];
    }),
};

async function growTo(client: Client, path: string, from: number, to: number): Promise<void> {
  for (let first = from; first < to; first += AT_ONCE) {
    const names = Array.from(
      { length: Math.min(AT_ONCE, to - first) },
      (_, index) => `crowd-${first + index}`,
    );
    await Promise.all(names.map((name) => expectBelow300(client.call('POST', path, clusterBody(name)))));
    for (const name of names) await until(client, `${path}/${name}`, ({ body }) => body.stateName === 'IDLE');
  }
}

async function costs(client: Client, path: string): Promise<Costs> {
  const made: number[] = [];
  const idle: number[] = [];
  for (let i = 0; i < CREATIONS; i++) {
    const name = `sample-${i}`;
    const start = performance.now();
    await expectBelow300(client.call('POST', path, clusterBody(name)));
    made.push(milliseconds(start));
    await until(client, `${path}/${name}`, ({ body }) => body.stateName === 'IDLE');
    idle.push(milliseconds(start));
    await expectBelow300(client.call('DELETE', `${path}/${name}`));
    await until(client, `${path}/${name}`, ({ status }) => status === 404);
  }
  return {
    'first page of clusters': await cost(() => client.call('GET', `${path}?itemsPerPage=10`)),
    'get a cluster': await cost(() => client.call('GET', `${path}/crowd-5`)),
    'create a cluster': median(made),
    'to IDLE': median(idle),
  };
}

async function cost(call: () => Promise<{ status: number }>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const start = performance.now();
    await expectBelow300(call());
    times.push(milliseconds(start));
  }
  return median(times);
}

type Answer = Awaited<ReturnType<Client['call']>>;

async function expectBelow300(answer: Promise<{ status: number }>): Promise<void> {
  const { status } = await answer;
  if (status >= 300) throw new Error(`a call was answered with ${status}`);
}

async function until(client: Client, path: string, fits: (answer: Answer) => boolean): Promise<void> {
  while (!fits(await client.call('GET', path))) await new Promise((resolve) => setTimeout(resolve, 2));
}

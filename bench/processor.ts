import type { Bootstrap } from '../packages/service/src/boot/bootstrap.ts';
import { type Cost, coldCost, cost, type MeasuredRequest, saturation } from './cost.ts';
import { atMost, type Figure, type Part, type Target } from './figure.ts';
import { type Caller, callerOf, createIdle } from './measured-caller.ts';
import type { Delays, Pace } from './paced.ts';
import { DigestHeaders, type RunningScript, startScript, startServed, withFolder } from './support.ts';

const CLUSTERS = 100;
const SECONDS = 6;

/** The CPU time of requests with and without TLS, compared with a bare route that returns the same bytes. */
export const processor: Part = {
  name: 'processor',
  measure: async () => [
    ...(await measured(false)),
    ...(await measured(true)),
    ...(await cold(false)),
    ...(await cold(true)),
  ],
};

/** A kind of request, whose target is a ratio to the bare route. */
interface Kind {
  readonly name: string;
  readonly perSecond: number;
  readonly request: MeasuredRequest;
  readonly target?: Target;
}

function measured(plain: boolean): Promise<Figure[]> {
  return withFolder(async (folder) => {
    const service = await startServed(folder, plain);
    try {
      const bootstrap = JSON.parse(service.line) as Bootstrap;
      return await figuresOf(bootstrap, service, plain);
    } finally {
      await service.stop();
    }
  });
}

async function figuresOf(bootstrap: Bootstrap, service: RunningScript, plain: boolean): Promise<Figure[]> {
  const caller = await callerOf(bootstrap);
  const clusters = `${caller.project}/clusters`;
  const { text } = await createIdle(caller, clusters, 'measured');
  const bare = await startScript('bare-server.ts', { body: text, plain });
  try {
    const baseline = await cost({ url: bare.line }, bare, 1500);
    const few = await single(caller, clusters);
    const rows: Figure[] = [];
    for (const kind of few) rows.push(...(await rowsOf(kind, service, plain, baseline)));
    rows.push(await calmAnswer(few[0] as Kind, bare, plain));
    if (plain) return rows;
    for (let index = 1; index < CLUSTERS; index++) await createIdle(caller, clusters, `measured-${index}`);
    for (const kind of many(caller, clusters)) rows.push(...(await rowsOf(kind, service, plain, baseline)));
    return rows;
  } finally {
    await bare.stop();
  }
}

async function single(caller: Caller, clusters: string): Promise<Kind[]> {
  const url = `${caller.origin}${clusters}/measured`;
  const digest = new DigestHeaders(await caller.challenge(), caller.bootstrap);
  return [
    {
      name: 'GET a cluster, Bearer',
      perSecond: 1500,
      request: { url, headers: caller.headers },
      target: atMost(2.5, 'ratio'),
    },
    {
      name: 'GET a cluster, Digest',
      perSecond: 1500,
      request: { url, authorization: () => digest.header('GET', `${clusters}/measured`) },
      target: atMost(4, 'ratio'),
    },
  ];
}

/** Requests per second to a cold service. */
const COLD_RATE = 500;

/** Figures of processes that have just started. Each kind of request gets a new service and a new bare route. */
async function cold(plain: boolean): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const index of [0, 1]) {
    figures.push(
      ...(await withFolder(async (folder) => {
        const service = await startServed(folder, plain);
        const caller = await callerOf(JSON.parse(service.line) as Bootstrap);
        const clusters = `${caller.project}/clusters`;
        const { text } = await createIdle(caller, clusters, 'measured');
        const bare = await startScript('bare-server.ts', { body: text, plain });
        try {
          const baseline = await coldCost({ url: bare.line }, bare, COLD_RATE);
          const kind = (await single(caller, clusters))[index] as Kind;
          const used = await coldCost(kind.request, service, COLD_RATE);
          return figuresOfCost({ ...kind, name: `${kind.name}, cold` }, used, plain, baseline);
        } finally {
          await Promise.all([bare.stop(), service.stop()]);
        }
      })),
    );
  }
  return figures;
}

function many({ origin, headers, bootstrap, base }: Caller, clusters: string): Kind[] {
  let number = 0;
  const body = () => JSON.stringify({ name: `Project ${++number}`, orgId: bootstrap.orgId });
  const json = { ...headers, 'content-type': 'application/json' };
  const refused = { url: `${origin}${clusters}/absent`, headers, status: 404 };
  return [
    { name: 'GET a missing cluster', perSecond: 1500, request: refused },
    {
      name: `GET a page of ${CLUSTERS} clusters`,
      perSecond: 50,
      request: { url: `${origin}${clusters}?itemsPerPage=${CLUSTERS}`, headers },
    },
    {
      name: 'create a project',
      perSecond: 300,
      request: { url: `${origin}${base}/groups`, method: 'POST', headers: json, body },
    },
  ];
}

async function rowsOf(
  kind: Kind,
  service: RunningScript,
  plain: boolean,
  bare: Cost,
): Promise<readonly Figure[]> {
  return figuresOfCost(kind, await cost(kind.request, service, kind.perSecond), plain, bare);
}

function figuresOfCost(kind: Kind, { user, system }: Cost, plain: boolean, bare: Cost): Figure[] {
  const where = plain ? 'without TLS' : 'with TLS';
  const figure: Figure = {
    name: `${kind.name}, ${where}, CPU time`,
    value: user + system,
    unit: 'µs',
    baseline: { name: 'bare route', value: bare.user + bare.system },
    ...(kind.target ? { target: kind.target } : {}),
  };
  return [figure, { name: `${kind.name}, ${where}, system time`, value: system, unit: 'µs' }];
}

/** Measures the 99th percentile of the latency below full load, and that of the bare route at the same rate. */
async function calmAnswer({ name, request }: Kind, bare: RunningScript, plain: boolean): Promise<Figure> {
  const { url, headers = {} } = request;
  const perSecond = Math.floor((await saturation(request)) / 2);
  const { p99 } = await delays({ url, headers, perSecond, seconds: SECONDS });
  const baseline = await delays({ url: bare.line, perSecond, seconds: SECONDS });
  return {
    name: `p99 of ${name}, ${plain ? 'without TLS' : 'with TLS'}, at half of the highest rate`,
    value: p99,
    unit: 'ms',
    baseline: { name: `bare route, ${perSecond.toLocaleString('en')} requests/s`, value: baseline.p99 },
    target: atMost(10),
  };
}

/** Runs the generator in a separate process, which does nothing else. */
async function delays(pace: Pace): Promise<Delays> {
  return JSON.parse((await startScript('paced.ts', pace)).line) as Delays;
}

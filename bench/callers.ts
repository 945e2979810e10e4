import { connect } from '../packages/portolan/src/tour/client.ts';
import { startService } from '../packages/portolan/src/tour/process.ts';
import { accessToken } from './authentication.ts';
import { atMost, type Figure, median, type Part } from './figure.ts';
import { type Client, DigestHeaders, type RunningService, withFolder } from './support.ts';
import { seededKey, seedKeys } from './support-keys.ts';
import { oneConnection, type Send } from './wire.ts';

const FEW = 100;
const MANY = 100_000;
const SAMPLES = 400;
/** Number of keys that have never been used. Each is used once. */
const FIRST_USES = FEW;
/** Figures that differ by less than this factor count as equal, since a shared machine is noisy. */
const SAME = 1.5;
const ROOT = '/api/service/v2';
const PATH = `${ROOT}/eventTypes?itemsPerPage=1`;
const LIST_ENTRIES = 20;

/** The cost of an authenticated request by method, with and without access lists, with few and with many keys. */
export const callers: Part = {
  name: 'callers',
  async measure(): Promise<Figure[]> {
    const few = await costsAmong(FEW);
    const many = await costsAmong(MANY);
    return [...many].map(([name, value]) => ({
      name: `${name}, ${MANY.toLocaleString('en')} keys`,
      value,
      unit: 'ms',
      baseline: { name: `${FEW} keys`, value: few.get(name) ?? Number.NaN },
      target: atMost(SAME, 'ratio'),
    }));
  },
};

function costsAmong(keys: number): Promise<Map<string, number>> {
  return withFolder(async (folder) => {
    const first = await startService(folder);
    await first.stop();
    await seedKeys(folder, first.bootstrap.orgId, keys);
    const service = await startService(folder);
    try {
      return await costs(service, await connect({ ...service.bootstrap, authority: service.authority }));
    } finally {
      await service.stop();
    }
  });
}

type Authorize = () => string | Promise<string>;

async function costs(service: RunningService, client: Client): Promise<Map<string, number>> {
  const { send, close } = oneConnection(service);
  const { bootstrap } = service;
  try {
    const { challenge } = await send('GET', PATH, {});
    const digest = new DigestHeaders(challenge, bootstrap);
    const token = `Bearer ${await accessToken(service)}`;
    const methods: readonly [string, Authorize][] = [
      ['one request, Digest', () => digest.header('GET', PATH)],
      ['one request, Bearer', () => token],
    ];
    const figures = await medians(send, methods, SAMPLES);
    let index = 0;
    const firstUse = async () => {
      const fresh = await send('GET', PATH, {});
      return new DigestHeaders(fresh.challenge, seededKey(index++)).header('GET', PATH);
    };
    const firstUses = await medians(send, [['first request of a key, Digest', firstUse]], FIRST_USES);
    const root = await send('GET', ROOT, { authorization: digest.header('GET', ROOT) });
    await addLists(client, service, (JSON.parse(root.text) as { apiKey: { id: string } }).apiKey.id);
    const listed = methods.map(
      ([name, authorize]) => [`${name}, access list of ${LIST_ENTRIES} addresses`, authorize] as const,
    );
    return new Map([...figures, ...(await medians(send, listed, SAMPLES)), ...firstUses]);
  } finally {
    close();
  }
}

/** Uses the methods alternately, so that other load on the machine affects all of them equally. */
async function medians(
  send: Send,
  methods: readonly (readonly [name: string, authorize: Authorize])[],
  samples: number,
): Promise<Map<string, number>> {
  const times = new Map(methods.map(([name]) => [name, [] as number[]]));
  for (let sample = 0; sample < samples; sample++) {
    for (const [name, authorize] of methods) {
      const { status, milliseconds } = await send('GET', PATH, { authorization: await authorize() });
      if (status !== 200) throw new Error(`${name} was answered with ${status}`);
      times.get(name)?.push(milliseconds);
    }
  }
  return new Map([...times].map(([name, all]) => [name, median(all)]));
}

/** Gives the first key and the first account access lists that include this machine. */
async function addLists(client: Client, { bootstrap }: RunningService, keyId: string): Promise<void> {
  const { orgId, clientId } = bootstrap;
  const others = Array.from({ length: LIST_ENTRIES - 1 }, (_, index) => ({
    cidrBlock: `10.${index}.0.0/16`,
  }));
  const entries = [...others, { ipAddress: '127.0.0.1' }];
  for (const path of [`apiKeys/${keyId}`, `serviceAccounts/${clientId}`]) {
    const { status } = await client.call('POST', `/orgs/${orgId}/${path}/accessList`, entries);
    if (status !== 200) throw new Error(`an access list was answered with ${status}`);
  }
}

import { atMost, type Figure, median, type Part, percentile } from './figure.ts';
import { DigestHeaders, type RunningService, withService } from './support.ts';
import { seededKey } from './support-keys.ts';
import { oneConnection, type Send } from './wire.ts';

const ROUNDS = 1500;
/** Number of rounds that warm up and do not count. */
const WARM_UP = 200;
/** Number of rounds with the same nonce. They take much less than a minute, the lifetime of a nonce. */
const ROUNDS_PER_NONCE = 500;
const PATH = '/api/service/v2';

/**
 * Whether the duration of a rejected request reveals the reason: a wrong private key, a wrong secret, or an unknown
 * key.
 */
export const credentials: Part = {
  name: 'credentials',
  async measure() {
    // Send each attempt from another address, since five failures from one address would block it.
    process.env.PORTOLAN_TRUSTED_PROXIES = '127.0.0.1';
    try {
      return await withService(measureRefusals);
    } finally {
      delete process.env.PORTOLAN_TRUSTED_PROXIES;
    }
  },
};

type Attempt = (round: number, headers: { 'x-forwarded-for': string }) => Promise<{ milliseconds: number }>;

async function measureRefusals(service: RunningService): Promise<Figure[]> {
  const { send, close } = oneConnection(service);
  try {
    const keys = await times(await keyAttempts(send, service));
    const clients = await times(clientAttempts(send, service));
    return [...figures('a key', keys), ...figures('a client', clients)];
  } finally {
    close();
  }
}

/** Makes the different attempts alternately, so that other load on the machine affects all of them equally. */
async function times(attempts: Readonly<Record<string, Attempt>>): Promise<Map<string, number[]>> {
  const taken = new Map(Object.keys(attempts).map((name) => [name, [] as number[]]));
  let address = 0;
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, attempt] of Object.entries(attempts)) {
      address++;
      const from = `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address & 255}`;
      const { milliseconds } = await attempt(round, { 'x-forwarded-for': from });
      if (round >= WARM_UP) taken.get(name)?.push(milliseconds);
    }
  }
  return taken;
}

async function keyAttempts(send: Send, { bootstrap }: RunningService): Promise<Record<string, Attempt>> {
  let { challenge } = await send('GET', PATH, {});
  const attempt =
    (pairOf: (round: number) => { publicKey: string; privateKey: string }): Attempt =>
    async (round, headers) => {
      if (round % ROUNDS_PER_NONCE === 0) ({ challenge } = await send('GET', PATH, {}));
      const authorization = new DigestHeaders(challenge, pairOf(round)).header('GET', PATH);
      return send('GET', PATH, { ...headers, authorization });
    };
  const { publicKey, privateKey } = bootstrap;
  const nobodys = '00000000-0000-4000-8000-000000000000';
  return {
    'with a wrong private key': attempt(() => ({ publicKey, privateKey: nobodys })),
    'with half a private key': attempt(() => ({ publicKey, privateKey: privateKey.slice(0, 18) })),
    'that is unknown': attempt(seededKey),
  };
}

function clientAttempts(send: Send, { bootstrap }: RunningService): Record<string, Attempt> {
  const attempt =
    (pairOf: (round: number) => readonly [id: string, secret: string]): Attempt =>
    (round, headers) => {
      const authorization = `Basic ${btoa(pairOf(round).join(':'))}`;
      const form = { authorization, 'content-type': 'application/x-www-form-urlencoded' };
      return send('POST', '/api/oauth/token', { ...headers, ...form }, 'grant_type=client_credentials');
    };
  const secret = `db_sa_sk_${'x'.repeat(40)}`;
  const unknown = (round: number) => `db_sa_id_${round.toString(16).padStart(24, 'f')}`;
  return {
    'with a wrong secret': attempt(() => [bootstrap.clientId, secret]),
    'that is unknown': attempt((round) => [unknown(round), secret]),
  };
}

/** Returns the figures. Each median is compared with the first one. */
function figures(what: string, taken: ReadonlyMap<string, readonly number[]>): Figure[] {
  const [first] = taken;
  const baseline = { name: `${what} ${first?.[0]}`, value: median(first?.[1] ?? []) };
  return [...taken].flatMap(([name, all], index): Figure[] => [
    {
      name: `reject ${what} ${name}, median`,
      value: median(all),
      unit: 'ms',
      ...(index === 0 ? {} : { baseline, target: atMost(1.05, 'ratio') }),
    },
    { name: `reject ${what} ${name}, p90`, value: percentile(all, 0.9), unit: 'ms' },
    { name: `reject ${what} ${name}, p99`, value: percentile(all, 0.99), unit: 'ms' },
  ]);
}

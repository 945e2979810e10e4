/**
 * Sends each request when it is due, whether or not earlier ones have completed. Prints the time from the due time to
 * the end of the response. A generator that waits for each response before it sends the next request would not measure
 * how long requests wait in a queue.
 */
import { Agent as PlainAgent, request as requestPlain } from 'node:http';
import { request as requestSecure, Agent as SecureAgent } from 'node:https';
import { setTimeout } from 'node:timers/promises';
import { percentile } from './figure.ts';

export interface Pace {
  readonly url: string;
  readonly headers?: Record<string, string>;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Delays in milliseconds. */
export interface Delays {
  readonly median: number;
  readonly p99: number;
  readonly most: number;
}

const CONNECTIONS = 32;
const WARM_UP_SECONDS = 2;

const pace = JSON.parse(process.argv[2] ?? '{}') as Pace;
const secure = pace.url.startsWith('https:');
const kept = { keepAlive: true, maxSockets: CONNECTIONS };
const agent = secure ? new SecureAgent({ ...kept, rejectUnauthorized: false }) : new PlainAgent(kept);

await offer(WARM_UP_SECONDS);
const measured = await offer(pace.seconds);
agent.destroy();
const delays: Delays = {
  median: percentile(measured, 0.5),
  p99: percentile(measured, 0.99),
  most: percentile(measured, 1),
};
console.log(JSON.stringify(delays));

async function offer(seconds: number): Promise<number[]> {
  const wanted = pace.perSecond * seconds;
  const start = performance.now();
  const answers: Promise<number>[] = [];
  while (answers.length < wanted) {
    const due = start + (answers.length * 1000) / pace.perSecond;
    if (due > performance.now()) await setTimeout(1);
    else answers.push(answered(due));
  }
  return Promise.all(answers);
}

function answered(due: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const ask = secure ? requestSecure : requestPlain;
    const outgoing = ask(pace.url, { agent, headers: pace.headers ?? {} }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`${pace.url}: ${incoming.statusCode}`));
      incoming.on('error', reject);
      incoming.on('end', () => resolve(performance.now() - due));
      incoming.resume();
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

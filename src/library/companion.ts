import childProcess, { type ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import launcher from '../../scripts/run.cjs';
import { CompanionError } from './errors.ts';
import type { CompanionAddress, CompanionAnswer, CompanionCalls } from './protocol.ts';

/**
 * The process that runs services and databases for this one: started when it is first needed, one for each thread, and
 * gone when this process is. What is loaded into this process keeps to what Node.js 18 knows.
 */

interface Shared {
  readonly child: ChildProcess;
  readonly address: Promise<CompanionAddress>;
}

/**
 * Some test runners load every module anew for each file of tests, with globals of its own: what lasts longer than one
 * of them hangs on a module of Node.js itself, of which a thread has one.
 */
const SHARED: unique symbol = Symbol.for('portolan.companion');
const place = childProcess as { [SHARED]?: Shared | undefined };

type Name = keyof CompanionCalls;
type Result<N extends Name> = ReturnType<CompanionCalls[N]>;

let channel: Promise<Channel> | undefined;

/** Asks the companion. Rejects with a `CompanionError`. */
export async function ask<N extends Name>(
  call: N,
  argument: Parameters<CompanionCalls[N]>[0],
): Promise<Awaited<Result<N>>> {
  channel ??= openChannel(call);
  const opened = await channel.catch((error) => {
    channel = undefined;
    throw error;
  });
  return opened.ask(call, argument) as Promise<Awaited<Result<N>>>;
}

async function openChannel(first: Name): Promise<Channel> {
  const shared = companion(first);
  const { port, token } = await shared.address.catch((error) => {
    if (place[SHARED] === shared) place[SHARED] = undefined;
    throw error;
  });
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.write(`${token}\n`);
      resolve(new Channel(socket));
    });
  });
}

/** `first`: the call that it is started for. */
function companion(first: Name): Shared {
  const known = place[SHARED];
  if (known !== undefined && known.child.exitCode === null && known.child.signalCode === null) return known;
  const {
    node,
    args,
    env: more,
  } = launcher.libraryCommand([
    'src/companion/main.ts',
    first === 'startDatabase' ? 'databases' : 'services',
  ]);
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...own } = process.env;
  const child = childProcess.spawn(node, args, {
    env: { ...own, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const shared = { child, address: addressOf(child) };
  place[SHARED] = shared;
  return shared;
}

/** Its first line; from then on neither it nor its pipes keep this process running. */
function addressOf(child: ChildProcess): Promise<CompanionAddress> {
  return new Promise((resolve, reject) => {
    const failed = (why: string) => reject(new CompanionError(`The companion process did not start: ${why}`));
    let printed = '';
    child.once('error', (error) => failed(error.message));
    child.once('exit', (code, signal) => failed(`it ended with ${signal ?? code}`));
    child.stdin?.on('error', () => {});
    child.stdout?.on('data', (chunk) => {
      printed += chunk;
      if (!printed.includes('\n')) return;
      resolve(JSON.parse(printed));
      child.stdout?.destroy();
      child.unref();
      (child.stdin as Socket | null)?.unref();
    });
  });
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Calls over one connection, which keeps this process running only while somebody waits. */
class Channel {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #last = 0;
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    socket.unref();
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  ask(call: string, argument: unknown): Promise<unknown> {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#socket.ref();
      this.#socket.write(`${JSON.stringify({ id, call, argument })}\n`);
    });
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#answered(JSON.parse(line));
  }

  #answered(answer: CompanionAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#socket.unref();
    if ('result' in answer) waiting?.resolve(answer.result);
    else waiting?.reject(new CompanionError(answer.error.message, answer.error.reason));
  }

  #closed(): void {
    channel = undefined;
    for (const { reject } of this.#waiting.values())
      reject(new CompanionError('The companion process has ended'));
    this.#waiting.clear();
  }
}

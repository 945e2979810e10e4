import childProcess, { type ChildProcess } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { PendingReplies } from '@portolan/foundation/pending-replies';
import { CompanionError } from './errors.ts';
import { launchCommand } from './launch.ts';
import type { CompanionAddress, CompanionAnswer } from './protocol.ts';

/**
 * A companion is a process that runs databases or services for this process. The first call in a thread starts it, and
 * it ends with this process. This file must run on Node.js 18, so that an old Node.js reports which version is needed,
 * and not a syntax error.
 */

/** A kind of companion. */
export interface CompanionProgram {
  /** A name that distinguishes the companions of a process. */
  readonly name: string;
  /** The path of the entry point, without its extension. */
  readonly entry: string;
  /** The oldest version of Node.js that can run the companion, such as '22.13'. */
  readonly oldest: string;
}

interface Shared {
  readonly child: ChildProcess;
  readonly address: Promise<CompanionAddress>;
}

/**
 * The key of the state that all copies of this module share. Some test runners load every module again for each test
 * file, with new globals. State that must outlive a test file is therefore stored on a built-in module, which exists
 * once per thread.
 */
const SHARED: unique symbol = Symbol.for('portolan.companions');
const holder = childProcess as { [SHARED]?: Map<string, Shared> };

/** Sends a call to a companion. Rejects with a `CompanionError`. */
export type Call<Calls> = <Name extends keyof Calls>(
  call: Name,
  argument: Calls[Name] extends (argument: infer Argument) => unknown ? Argument : never,
) => Promise<Awaited<Calls[Name] extends (argument: never) => infer Result ? Result : never>>;

/** Returns the companion of a kind. The first call starts it. */
export function companion<Calls>(program: CompanionProgram): Call<Calls> {
  let channel: Promise<Channel> | undefined;
  const forget = () => {
    channel = undefined;
  };
  const sendCall = async (call: string, argument: unknown) => {
    channel ??= openChannel(program, forget);
    const opened = await channel.catch((error) => {
      forget();
      throw error;
    });
    return opened.ask(call, argument);
  };
  return sendCall as unknown as Call<Calls>;
}

async function openChannel(program: CompanionProgram, onClose: () => void): Promise<Channel> {
  const shared = runningCompanion(program);
  const companions = allCompanions();
  const { port, token } = await shared.address.catch((error) => {
    if (companions.get(program.name) === shared) companions.delete(program.name);
    throw error;
  });
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.write(`${token}\n`);
      resolve(new Channel(socket, onClose));
    });
  });
}

function allCompanions(): Map<string, Shared> {
  holder[SHARED] ??= new Map();
  return holder[SHARED];
}

function runningCompanion({ name, entry, oldest }: CompanionProgram): Shared {
  const known = allCompanions().get(name);
  if (known !== undefined && known.child.exitCode === null && known.child.signalCode === null) return known;
  const { node, args, env: more } = launchCommand(entry, oldest);
  const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, ...own } = process.env;
  const child = childProcess.spawn(node, args, {
    env: { ...own, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
    windowsHide: true,
  });
  const shared = { child, address: addressOf(child) };
  allCompanions().set(name, shared);
  return shared;
}

/**
 * Reads the first line of the companion's output. Afterwards, the companion and its pipes no longer keep this process
 * running.
 */
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

/** Sends calls over one connection. The connection keeps this process running only while calls are pending. */
class Channel {
  readonly #socket: Socket;
  readonly #pending = new PendingReplies<number, unknown>();
  readonly #onClose: () => void;
  #last = 0;
  #rest = '';

  constructor(socket: Socket, onClose: () => void) {
    this.#socket = socket;
    this.#onClose = onClose;
    socket.setNoDelay(true);
    socket.setEncoding('utf8');
    socket.unref();
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', () => {});
    socket.on('close', () => this.#closed());
  }

  ask(call: string, argument: unknown): Promise<unknown> {
    const id = ++this.#last;
    const reply = this.#pending.wait(id);
    this.#socket.ref();
    this.#socket.write(`${JSON.stringify({ id, call, argument })}\n`);
    return reply;
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) this.#answered(JSON.parse(line));
  }

  #answered(answer: CompanionAnswer): void {
    if ('result' in answer) this.#pending.resolve(answer.id, answer.result);
    else this.#pending.reject(answer.id, new CompanionError(answer.error.message, answer.error.reason));
    if (this.#pending.size === 0) this.#socket.unref();
  }

  #closed(): void {
    this.#onClose();
    this.#pending.rejectAll(() => new CompanionError('The companion process has ended'));
  }
}

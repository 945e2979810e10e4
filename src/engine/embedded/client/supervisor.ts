import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ClockSetting, MachineClock } from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import type { Random } from '../../../runtime/random.ts';
import type { Certificate } from '../../../runtime/tls/certificate.ts';
import { readHostFile } from '../control/host-file.ts';
import type { ControlCall, ControlCalls, HostSettings } from '../control/protocol.ts';
import {
  ConnectionLost,
  type ControlConnection,
  connectToHost,
  EngineUnavailable,
  ProtocolMismatch,
} from './control-connection.ts';
import { startHostProcess } from './host-process.ts';

export interface SupervisorOptions {
  readonly settings: HostSettings;
  readonly environment: NodeJS.ProcessEnv;
  readonly clock: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** A host that is starting or ending has the lock and no control port for a moment. */
const TURNOVER_MS = 5_000;
const TURNOVER_STEP_MS = 10;
/** How often a call is sent again when the host ended under it. */
const CALL_ATTEMPTS = 3;
/** A host that lived for longer is started again at once; else the pause doubles up to the second number. */
const STEADY_MS = 10_000;
const BACK_OFF_MS = [100, 5_000] as const;

/** Keeps a line to the engine host of a data directory: finds it, starts it, and starts it again when it dies. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  #connection: ControlConnection | undefined;
  #connecting: Promise<ControlConnection> | undefined;
  #connectedBefore = false;
  #failures = 0;
  #closed = false;
  #stopping = false;
  #serviceClock: ClockSetting | undefined;
  #certificate: Certificate | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  get connected(): boolean {
    return this.#connection?.open === true;
  }

  /** The line to a running host. Throws `EngineUnavailable` or `ProtocolMismatch` when one attempt has failed. */
  connect(): Promise<ControlConnection> {
    if (this.#closed) return Promise.reject(new EngineUnavailable('the engine is closed'));
    if (this.#connection?.open) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#establish().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Sends a call, again when the host ends before it answers. Only for calls that may be repeated. */
  async call<C extends ControlCall>(
    call: C,
    ...args: Parameters<ControlCalls[C]>
  ): Promise<Awaited<ReturnType<ControlCalls[C]>>> {
    for (let attempt = 1; ; attempt++) {
      const connection = await this.connect();
      try {
        return await connection.call(call, ...args);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || attempt === CALL_ATTEMPTS || this.#closed) throw error;
      }
    }
  }

  /** Service time for this host and for every one that follows it. */
  async setClock(setting: ClockSetting): Promise<void> {
    this.#serviceClock = setting;
    await this.call('setClock', setting);
  }

  /** What members of this host, and of every one that follows it, present. */
  async setTls(certificate: Certificate): Promise<void> {
    await this.call('setTls', certificate);
    this.#certificate = certificate;
  }

  /** Lets go of the host, which stays up. */
  close(): void {
    this.#closed = true;
    this.#connection?.close();
  }

  /** Ends the host, if one runs, and resolves when it is gone. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#stopping = true;
    await this.#connecting?.catch(() => {});
    const connection = this.connected ? this.#connection : await this.#find();
    if (connection !== undefined) await endHost(connection);
  }

  async #establish(): Promise<ControlConnection> {
    await this.#backOff();
    try {
      const connection = await this.#findOrStart();
      this.#watch(connection);
      if (this.#certificate !== undefined) await connection.call('setTls', this.#certificate);
      if (this.#serviceClock !== undefined) await connection.call('setClock', this.#serviceClock);
      return connection;
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }

  async #findOrStart(): Promise<ControlConnection> {
    const { settings, environment, clock, log } = this.#options;
    const deadline = clock.monotonic() + TURNOVER_MS;
    for (;;) {
      const found = await this.#find();
      if (found !== undefined && (await this.#fits(found))) return found;
      if (found === undefined && (await startHostProcess(settings, environment))) {
        log.info({ dataDir: settings.dataDir }, 'engine host started');
      } else if (clock.monotonic() > deadline) {
        throw new EngineUnavailable('the engine host has the data directory and does not answer');
      } else {
        await setTimeout(TURNOVER_STEP_MS);
      }
    }
  }

  async #find(): Promise<ControlConnection | undefined> {
    const file = readHostFile(this.#options.settings.dataDir);
    if (file === undefined) return undefined;
    try {
      return await connectToHost(file, this.#options.random);
    } catch (error) {
      // A file that a killed host has left behind.
      if (error instanceof ProtocolMismatch) throw error;
      return undefined;
    }
  }

  /** A host that an earlier service left with other settings is ended, so that the new ones act. */
  async #fits(connection: ControlConnection): Promise<boolean> {
    const { settings, log } = this.#options;
    if (this.#connectedBefore || isDeepStrictEqual(connection.settings, settings)) return true;
    log.warn({ pid: connection.pid }, 'the engine host runs with other settings and is started again');
    await endHost(connection);
    return false;
  }

  #watch(connection: ControlConnection): void {
    const { clock, log } = this.#options;
    const since = clock.monotonic();
    this.#connection = connection;
    this.#connectedBefore = true;
    // Whoever stops the host while it starts needs the line to say so.
    if (this.#closed && !this.#stopping) connection.close();
    void connection.closed.then(() => {
      if (this.#closed) return;
      this.#failures = clock.monotonic() - since > STEADY_MS ? 0 : this.#failures + 1;
      log.warn({ pid: connection.pid }, 'the engine host has ended; it is started again');
      void this.#supervise();
    });
  }

  /** Until there is a line again, whether somebody calls or not. */
  async #supervise(): Promise<void> {
    while (!this.#closed && !this.connected) {
      await this.connect().catch((error: Error) => {
        if (!this.#closed) this.#options.log.error({ reason: error.message }, 'no engine host');
      });
    }
  }

  /** None before the first failure, none for the first restart. */
  async #backOff(): Promise<void> {
    if (this.#failures < 2) return;
    const [first, greatest] = BACK_OFF_MS;
    await setTimeout(Math.min(first * 2 ** (this.#failures - 2), greatest));
  }
}

async function endHost(connection: ControlConnection): Promise<void> {
  await connection.call('stop').catch((error: Error) => {
    if (!(error instanceof ConnectionLost)) throw error;
  });
  await connection.closed;
  // Until the process is gone it holds the lock, and may write to a directory that somebody wants to delete.
  for (let waited = 0; isAlive(connection.pid) && waited < TURNOVER_MS; waited += TURNOVER_STEP_MS) {
    await setTimeout(TURNOVER_STEP_MS);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

import { isDeepStrictEqual } from 'node:util';
import { pauseAfter } from '@portolan/foundation/back-off';
import type { ClockSetting, MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import { type Repetition, repeat } from '@portolan/foundation/repeat';
import { errorMessage } from '@portolan/foundation/thrown';
import type { Certificate } from '@portolan/foundation/tls/certificate';
import { poll, wait } from '@portolan/foundation/wait';
import { type ControlClient, controlCalls, type PeerAddress } from '../control/calls.ts';
import { readHostFile } from '../control/host-file.ts';
import { type HostFile, type HostSettings, PROTOCOL_VERSION } from '../control/protocol.ts';
import type { CallTable } from '../interface/call.ts';
import { type CallTransport, clientOf } from './call-client.ts';
import { type ControlConnection, connectToHost } from './control-connection.ts';
import { ConnectionLost, EngineUnavailable, ProtocolMismatch } from './errors.ts';
import { endHost, endOlderHost } from './host-end.ts';
import type { Transfer } from './transfer.ts';

/** How a host process has ended. One of `exitCode` and `signal` is defined. */
export interface HostExit {
  readonly pid: number | undefined;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The fatal error that the process has written; undefined if there is none. */
  readonly reason: string | undefined;
}

/**
 * Starts a host. Resolves to true when the host accepts calls, and to false if another host holds the data directory.
 * Calls `exited` when the process of a host that accepted calls ends.
 */
export type StartHost = (settings: HostSettings, exited: (exit: HostExit) => void) => Promise<boolean>;

export interface SupervisorOptions {
  readonly settings: HostSettings;
  readonly startHost: StartHost;
  readonly clock: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

const TABLE: CallTable = controlCalls;
/**
 * Interval and maximum duration, in milliseconds, of the wait for a host that is starting or stopping. Such a host has
 * locked the data directory but accepts no connections. The wait usually takes about a second.
 */
const TRANSITION = { step: 10, limit: 60_000 };
/** Number of attempts if the host ends during a call. */
const CALL_ATTEMPTS = 3;
/**
 * A host that ends after a run of at least this many milliseconds is restarted at once. If the run was shorter, the
 * pause before the restart is twice as long as the previous pause, up to a limit.
 */
const STEADY_MS = 10_000;
const BACK_OFF = { first: 100, greatest: 5_000 };

/**
 * Maintains a connection to the host of a data directory. Finds a running host, or starts one, and restarts
 * it if it ends.
 */
export class Supervisor implements CallTransport {
  /** The calls to the host. Each call is sent to the host process that is running at that time. */
  readonly host: ControlClient;
  readonly #options: SupervisorOptions;
  #connection: ControlConnection | undefined;
  #connecting: Promise<ControlConnection> | undefined;
  /** Reconnects even while there are no calls. */
  readonly #supervising: Repetition;
  #connectedBefore = false;
  #failures = 0;
  #closed = false;
  #stopping = false;
  #serviceClock: ClockSetting | undefined;
  #certificate: Certificate | undefined;
  #peerAddress: PeerAddress | undefined;
  #peerPort: number | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.host = clientOf(controlCalls, this);
    const settled = () => this.#closed || this.connected;
    this.#supervising = repeat({
      machine: options.clock,
      // `connect` itself waits between attempts, so there is no interval here.
      interval: () => (settled() ? Number.POSITIVE_INFINITY : 0),
      first: Number.POSITIVE_INFINITY,
      run: () => (settled() ? undefined : this.connect()),
      onError: (error) =>
        this.#closed ||
        options.log.error({ reason: error.message }, 'the engine host cannot be reached or started'),
    });
  }

  get connected(): boolean {
    return this.#connection?.open === true;
  }

  /** Resolves to false if the connected host does not reply within `withinMs` milliseconds. */
  async answers(withinMs: number): Promise<boolean> {
    return this.#connection?.open ? this.#connection.answers(withinMs) : true;
  }

  /**
   * Returns the connection to a running host. Throws `EngineUnavailable` or `ProtocolMismatch` if the attempt fails.
   */
  connect(): Promise<ControlConnection> {
    if (this.#closed) return Promise.reject(new EngineUnavailable('the engine is closed'));
    if (this.#connection?.open) return Promise.resolve(this.#connection);
    this.#connecting ??= this.#establish().finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }

  /** Sends a call. Repeats it if the host ends before replying and the call table allows repetition. */
  async call(call: string, args: readonly unknown[]): Promise<unknown> {
    const attempts = TABLE[call]?.repeatable ? CALL_ATTEMPTS : 1;
    for (let attempt = 1; ; attempt++) {
      const connection = await this.connect();
      try {
        return await connection.call(call, args);
      } catch (error) {
        if (!(error instanceof ConnectionLost) || attempt === attempts || this.#closed) throw error;
      }
    }
  }

  async transfer(call: string, args: readonly unknown[]): Promise<Transfer> {
    return (await this.connect()).transfer(call, args);
  }

  /** Sets the service time of this host and the hosts that replace it. */
  async setClock(setting: ClockSetting): Promise<void> {
    this.#serviceClock = setting;
    await this.host.setClock(setting);
  }

  /** Sets the certificate for the members of this host and the hosts that replace it. */
  async setTls(certificate: Certificate): Promise<void> {
    await this.host.setTls(certificate);
    this.#certificate = certificate;
  }

  /**
   * Sets the address at which services on other machines reach this host and the hosts that replace it.
   * Undefined makes the hosts unreachable for these services.
   */
  async listenToPeers(address: PeerAddress | undefined): Promise<void> {
    this.#peerPort = await this.host.listenToPeers(address);
    this.#peerAddress = address;
  }

  /** The port of the current host for services on other machines. */
  get peerPort(): number | undefined {
    return this.connected ? this.#peerPort : undefined;
  }

  /** Disconnects from the host, which keeps running. */
  close(): void {
    this.#closed = true;
    void this.#supervising.stop();
    this.#connection?.close();
  }

  /** Stops the host if it is running. Resolves when its process has exited. */
  async stop(): Promise<void> {
    this.#closed = true;
    this.#stopping = true;
    void this.#supervising.stop();
    await this.#connecting?.catch(() => {});
    const connection = this.connected ? this.#connection : await this.#find();
    if (connection !== undefined) await endHost(connection, this.#options.clock);
  }

  async #establish(): Promise<ControlConnection> {
    await this.#backOff();
    try {
      const connection = await this.#findOrStart();
      this.#watch(connection);
      await this.#prepare(connection);
      return connection;
    } catch (error) {
      this.#failures++;
      throw error;
    }
  }

  /** Sends a newly connected host the settings that hosts keep only in memory. */
  async #prepare(connection: ControlConnection): Promise<void> {
    const host = clientOf(controlCalls, connection);
    if (this.#certificate !== undefined) await host.setTls(this.#certificate);
    if (this.#serviceClock !== undefined) await host.setClock(this.#serviceClock);
    if (this.#peerAddress === undefined) return;
    try {
      this.#peerPort = await host.listenToPeers(this.#peerAddress);
    } catch (error) {
      // Log the error but do not throw it, because the service on this machine can still use the host.
      this.#peerPort = undefined;
      const reason = errorMessage(error);
      this.#options.log.error({ reason }, 'services of other machines cannot reach the engine host');
    }
  }

  async #findOrStart(): Promise<ControlConnection> {
    const found = await poll(this.#options.clock, TRANSITION, async () => {
      const found = (await this.#find()) ?? (await this.#start());
      return found !== undefined && (await this.#fits(found)) ? found : undefined;
    });
    if (found !== undefined) return found;
    throw new EngineUnavailable('the engine host of the data directory does not answer');
  }

  /** Starts a host. Returns undefined if another process is already starting a host that does not accept calls yet. */
  async #start(): Promise<ControlConnection | undefined> {
    const { settings, startHost, log } = this.#options;
    const exited = (exit: HostExit) => {
      if (!this.#closed) log.warn({ ...exit }, 'the process of the engine host has exited');
    };
    if (!(await startHost(settings, exited))) return undefined;
    log.info({ dataDir: settings.dataDir }, 'engine host started');
    return this.#find();
  }

  async #find(): Promise<ControlConnection | undefined> {
    const file = readHostFile(this.#options.settings.dataDir);
    if (file === undefined) return undefined;
    try {
      return await connectToHost(file, controlCalls, this.#options);
    } catch (error) {
      if (error instanceof ProtocolMismatch) await this.#replaceOlder(file, error);
      // The host was killed and could not remove the file.
      return undefined;
    }
  }

  /** Stops a host with an earlier program version. A host with a later version keeps running. */
  async #replaceOlder(file: HostFile, mismatch: ProtocolMismatch): Promise<void> {
    const { clock, random, log } = this.#options;
    if (mismatch.spoken > PROTOCOL_VERSION) throw mismatch;
    log.warn(
      { pid: file.pid, protocol: mismatch.spoken },
      'the engine host has an earlier version and is restarted',
    );
    await endOlderHost(file, mismatch.spoken, { clock, random });
  }

  /**
   * True if the host has the settings of this service. A host with other settings was started by an earlier
   * service and is stopped here.
   */
  async #fits(connection: ControlConnection): Promise<boolean> {
    const { settings, clock, log } = this.#options;
    if (this.#connectedBefore || isDeepStrictEqual(connection.settings, settings)) return true;
    log.warn({ pid: connection.pid }, 'the engine host runs with other settings and is restarted');
    await endHost(connection, clock);
    return false;
  }

  #watch(connection: ControlConnection): void {
    const { clock, log } = this.#options;
    const since = clock.monotonic();
    this.#connection = connection;
    this.#connectedBefore = true;
    // If `stop` was called in the meantime, keep the connection open, since `stop` needs it.
    if (this.#closed && !this.#stopping) connection.close();
    void connection.closed.then(() => {
      if (this.#closed) return;
      this.#failures = clock.monotonic() - since > STEADY_MS ? 0 : this.#failures + 1;
      log.warn({ pid: connection.pid }, 'the engine host has ended and is restarted');
      this.#supervising.wake();
    });
  }

  /** Waits before an attempt if at least two attempts have failed. */
  async #backOff(): Promise<void> {
    if (this.#failures < 2) return;
    await wait(this.#options.clock, pauseAfter(this.#failures - 1, BACK_OFF));
  }
}

import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '../../../runtime/atomic-file.ts';
import {
  type ClockSetting,
  type MachineClock,
  machineClock,
  realTime,
  serviceTime,
} from '../../../runtime/clock.ts';
import type { Log } from '../../../runtime/log.ts';
import { logFile } from '../../../runtime/log-file.ts';
import { type Random, systemRandom } from '../../../runtime/random.ts';
import { engineDirectory, hostFilePath, makeEngineDirectory, readHostFile } from '../control/host-file.ts';
import { type ControlCalls, type HostSettings, PROTOCOL_VERSION } from '../control/protocol.ts';
import { SAMPLE_MS } from '../observe/observation.ts';
import { ConnectionThreads } from './connection-threads.ts';
import { listenForControl } from './control-server.ts';
import { Deployments } from './deployments.ts';
import { FileChecks } from './file-checks.ts';
import { lock } from './lock.ts';
import { Ports } from './ports.ts';
import { QueryWorkers } from './query-workers.ts';

/** One thread greets some 10,000 drivers a second; two workers fill two cores. Both are started when needed. */
const CONNECTION_THREADS = 1;
const QUERY_WORKERS = 2;
const TOKEN_BYTES = 32;
/** How often the host looks whether its data directory is still there. */
const WATCH_MS = 1_000;

export interface Host {
  /** Resolves when the host has ended, by a call of `stop` or because its data directory is gone. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Runs an engine host in this process. Throws `AlreadyRunning` when the data directory has one. */
export async function startHost(settings: HostSettings): Promise<Host> {
  const directory = engineDirectory(settings.dataDir);
  makeEngineDirectory(settings.dataDir);
  const held = lock(join(directory, 'host.lock'));
  const clock = machineClock();
  const random = systemRandom();
  const log = logFile(join(directory, 'host.log'), clock);
  const host = new RunningHost(settings, { clock, random, log });
  try {
    await host.start();
  } catch (error) {
    held.release();
    throw error;
  }
  return { ended: host.ended.finally(() => held.release()), stop: () => host.stop() };
}

interface Seams {
  readonly clock: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

class RunningHost {
  readonly ended: Promise<void>;
  readonly #settings: HostSettings;
  readonly #seams: Seams;
  readonly #threads: ConnectionThreads;
  readonly #workers: QueryWorkers;
  readonly #checks: FileChecks;
  readonly #deployments: Deployments;
  readonly #token: string;
  #end = () => {};
  #serviceClock: ClockSetting = realTime;
  #watch: NodeJS.Timeout | undefined;
  #cancelSample = () => {};
  #stopping: Promise<void> | undefined;

  constructor(settings: HostSettings, seams: Seams) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#settings = settings;
    this.#seams = seams;
    this.#token = seams.random.bytes(TOKEN_BYTES).toString('hex');
    this.#threads = new ConnectionThreads(CONNECTION_THREADS, seams.log, settings.tls);
    this.#checks = new FileChecks(seams.log);
    this.#workers = new QueryWorkers(QUERY_WORKERS, seams.log);
    const parts = {
      ...seams,
      settings,
      threads: this.#threads,
      workers: this.#workers,
      ports: new Ports(settings.ports),
      checks: this.#checks,
      now: () => this.#now(),
    };
    const clusters = join(engineDirectory(settings.dataDir), 'clusters');
    this.#deployments = new Deployments(clusters, parts, seams.random);
  }

  async start(): Promise<void> {
    const { dataDir } = this.#settings;
    await this.#deployments.load();
    const { port } = await listenForControl({
      ...this.#seams,
      token: this.#token,
      settings: this.#settings,
      calls: this.#calls(),
    });
    const reopened = this.#deployments.reopen();
    const file = {
      protocol: PROTOCOL_VERSION,
      pid: process.pid,
      host: '127.0.0.1',
      port,
      token: this.#token,
    };
    await writeAtomically(hostFilePath(dataDir), `${JSON.stringify(file, undefined, 2)}\n`);
    this.#sample();
    this.#watch = setInterval(() => this.#lookForFile(), WATCH_MS);
    this.#seams.log.info(
      { pid: process.pid, port, deployments: this.#deployments.size },
      'engine host is up',
    );
    void reopened.then(() => this.#seams.log.info({}, 'deployments are open'));
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop(true);
    return this.#stopping;
  }

  #calls(): ControlCalls {
    const deployments = this.#deployments;
    return {
      provision: (spec) => deployments.provision(spec),
      reconfigure: (spec) => deployments.reconfigure(spec),
      pause: (id) => deployments.pause(id),
      resume: (id) => deployments.resume(id),
      remove: async (id) => {
        await deployments.remove(id);
        return null;
      },
      describe: async (id) => (await deployments.describe(id)) ?? null,
      troubled: async () => deployments.troubled(),
      stopMember: (id, memberId) => deployments.stopMember(id, memberId),
      startMember: (id, memberId) => deployments.startMember(id, memberId),
      failover: (id, from) => deployments.failover(id, from),
      setAccess: (id, access) => deployments.setAccess(id, access),
      run: async (id, command) =>
        Buffer.from(await deployments.run(id, Buffer.from(command, 'base64'))).toString('base64'),
      accessHistory: async (id, query) => deployments.journal(id).accessHistory(query, this.#now()),
      logs: async (id, memberId, log, from, to) => deployments.journal(id).logs(memberId, log, from, to),
      metrics: async (id, memberId, from, to) => deployments.journal(id).metrics(memberId, from, to),
      setClock: async (setting) => {
        this.#serviceClock = setting;
        this.#workers.setClock(setting);
        await this.#threads.setClock(setting);
        return null;
      },
      setTls: async (certificate) => {
        await this.#threads.setTls(certificate);
        return null;
      },
      status: async () => ({
        pid: process.pid,
        deployments: deployments.size,
        rss: process.memoryUsage.rss(),
      }),
      stop: async () => {
        await this.stop();
        return null;
      },
    };
  }

  #now(): number {
    return serviceTime(this.#serviceClock, this.#seams.clock.now());
  }

  /** Every so often in machine time, with the service time of that moment. */
  #sample(): void {
    this.#cancelSample = this.#seams.clock.after(SAMPLE_MS, () => {
      const disk = statfsSync(this.#settings.dataDir, { throwIfNoEntry: false } as object);
      const [free, total] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
      void this.#deployments.sample({ time: this.#now(), free, total }).finally(() => this.#sample());
    });
  }

  #lookForFile(): void {
    if (this.#stopping !== undefined || readHostFile(this.#settings.dataDir)?.token === this.#token) return;
    this.#seams.log.warn({}, 'the data directory is gone: the engine host ends');
    this.#stopping = this.#stop(false);
  }

  async #stop(removeFile: boolean): Promise<void> {
    clearInterval(this.#watch);
    this.#cancelSample();
    await this.#deployments.close();
    await this.#checks.stop();
    await this.#workers.stop(this.#seams.clock);
    await this.#threads.stop();
    if (removeFile) rmSync(hostFilePath(this.#settings.dataDir), { force: true });
    this.#seams.log.info({}, 'engine host has stopped');
    // A turn later, so that the answer to a call of `stop` leaves before the process ends.
    setImmediate(this.#end);
  }
}

import { rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '@portolan/foundation/atomic-file';
import {
  type ClockSetting,
  type MachineClock,
  machineClock,
  realTime,
  serviceTime,
} from '@portolan/foundation/clock';
import { IDLE_MS } from '@portolan/foundation/idle-collection';
import { KeyFolder } from '@portolan/foundation/keys/key-folder';
import type { Log } from '@portolan/foundation/log';
import { logFile } from '@portolan/foundation/log-file';
import { connectionsWithin, openFileLimit } from '@portolan/foundation/open-files';
import { type Random, systemRandom } from '@portolan/foundation/random';
import { controlCalls, type PartOfHost } from '../control/calls.ts';
import {
  clustersDirectory,
  engineDirectory,
  hostFilePath,
  isHostFileGone,
  makeEngineDirectory,
} from '../control/host-file.ts';
import { type HostSettings, PROTOCOL_VERSION } from '../control/protocol.ts';
import { SAMPLE_MS } from '../observe/observation.ts';
import { Backups } from './backups.ts';
import { callsOf } from './calls.ts';
import { ConnectionThreads } from './connection-threads.ts';
import { type ControlListener, type ControlServer, listenForControl } from './control-server.ts';
import { Deployments } from './deployments.ts';
import { FileChecks } from './file-checks.ts';
import { FileKeys } from './file-keys.ts';
import { lock } from './lock.ts';
import { machineFigures, processMemory } from './machine-figures.ts';
import { PeerListener } from './peer-listener.ts';
import { Ports } from './ports.ts';
import { QueryThreads } from './query-threads.ts';
import { RecordReader } from './record-reader.ts';
import { Samples } from './samples.ts';
import { SearchThreads } from './search-threads.ts';
import { HostTimetable } from './timetable.ts';

/**
 * One connection thread is enough, because it can serve the first commands of about 10,000 new connections per second.
 * Two query threads can use two cores. Threads start when they are needed.
 */
const CONNECTION_THREADS = 1;
const QUERY_THREADS = 2;

/** The options for the threads of a host. The defaults are for a host that has a process of its own. */
export interface HostThreads {
  readonly queryThreads?: number;
  /**
   * When this promise resolves, one thread of each kind starts. Thus the modules of these threads are loaded before the
   * first deployment needs them.
   */
  readonly early?: Promise<unknown>;
  /** Ends the process at once. Needed if a thread cannot be terminated. Absent if the process also does other work. */
  readonly endProcess?: () => void;
}

const TOKEN_BYTES = 32;
/** Interval at which the host checks whether the data directory still exists. */
const WATCH_MS = 1_000;
/**
 * `CHECKED_EVERY_MS` is the interval between two complete checks of a file. `CHECKS_MS` is the interval at which the
 * host looks for files that must be checked.
 */
const CHECKED_EVERY_MS = 86_400_000;
const CHECKS_MS = 600_000;
/**
 * Maximum time to wait for the report of a thread, which may be running a long statement. If the time has passed, the
 * previous report of the thread is used.
 */
const TELL_MS = 1_000;
const LOOPBACK = '127.0.0.1';

export interface Host {
  /** Resolves when the host has ended, either by `stop` or because its data directory no longer exists. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Runs an engine host in this process. Throws `AlreadyRunning` if another host uses the data directory. */
export async function startHost(settings: HostSettings, threads: HostThreads = {}): Promise<Host> {
  const directory = engineDirectory(settings.dataDir);
  makeEngineDirectory(settings.dataDir);
  const held = lock(join(directory, 'host.lock'));
  const clock = machineClock();
  const random = systemRandom();
  const log = logFile(join(directory, 'host.log'), clock);
  const host = new RunningHost(settings, { clock, random, log }, threads);
  try {
    await host.start();
  } catch (error) {
    held.release();
    throw error;
  }
  return { ended: host.ended.finally(() => held.release()), stop: () => host.stop() };
}

interface Dependencies {
  readonly clock: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

class RunningHost {
  readonly ended: Promise<void>;
  readonly #settings: HostSettings;
  readonly #dependencies: Dependencies;
  readonly #threads: ConnectionThreads;
  readonly #queryThreads: QueryThreads;
  readonly #checks: FileChecks;
  readonly #backups = new Backups();
  readonly #search: SearchThreads;
  readonly #deployments: Deployments;
  readonly #reader: RecordReader;
  readonly #samples: Samples;
  readonly #peers: PeerListener;
  readonly #token: string;
  #end = () => {};
  #serviceClock: ClockSetting = realTime;
  #timetable: HostTimetable | undefined;
  #control: ControlServer | undefined;
  #stopping: Promise<void> | undefined;

  constructor(
    settings: HostSettings,
    dependencies: Dependencies,
    { queryThreads = QUERY_THREADS, early, endProcess }: HostThreads,
  ) {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#settings = settings;
    this.#dependencies = dependencies;
    this.#token = dependencies.random.bytes(TOKEN_BYTES).toString('hex');
    this.#threads = new ConnectionThreads(CONNECTION_THREADS, dependencies.log, {
      ...(settings.tls ? { tls: true } : {}),
      connections: connectionsWithin(openFileLimit()),
    });
    this.#checks = new FileChecks(dependencies.log);
    this.#search = new SearchThreads('shared', dependencies);
    this.#queryThreads = new QueryThreads(queryThreads, dependencies.log, dependencies.clock);
    if (endProcess !== undefined) this.#queryThreads.onUnended = endProcess;
    void early?.then(() => this.#startThreads());
    const keys = new KeyFolder(settings.keyFolder, dependencies.random);
    const parts = {
      ...dependencies,
      settings,
      threads: this.#threads,
      queryThreads: this.#queryThreads,
      ports: new Ports(settings.ports),
      checks: this.#checks,
      backups: this.#backups,
      search: this.#search,
      fileKeys: new FileKeys({ keys, random: dependencies.random, backups: this.#backups }),
      now: () => this.#now(),
    };
    this.#deployments = new Deployments(clustersDirectory(settings.dataDir), parts, dependencies.random);
    this.#reader = new RecordReader(dependencies.log);
    this.#samples = new Samples(() => this.#deployments.journals(), this.#reader);
    this.#peers = new PeerListener((at) => this.#listen(at));
  }

  async start(): Promise<void> {
    const { dataDir } = this.#settings;
    await this.#deployments.load();
    this.#control = await this.#listen({ host: LOOPBACK, port: 0 }, () => this.#abandonCopies());
    const { port } = this.#control;
    const reopened = this.#deployments.reopen();
    const file = {
      protocol: PROTOCOL_VERSION,
      pid: process.pid,
      host: LOOPBACK,
      port,
      token: this.#token,
    };
    await writeAtomically(hostFilePath(dataDir), `${JSON.stringify(file, undefined, 2)}\n`);
    this.#timetable = this.#startTimetable();
    this.#dependencies.log.info(
      { pid: process.pid, port, deployments: this.#deployments.size },
      'engine host started',
    );
    void reopened.then(() => this.#dependencies.log.info({}, 'deployments are open'));
  }

  #abandonCopies(): void {
    this.#deployments.abandonCopies().catch((error: Error) => {
      this.#dependencies.log.warn(
        { err: error },
        'copies that a disconnected service had started could not be cancelled',
      );
    });
  }

  #startThreads(): void {
    if (this.#stopping !== undefined) return;
    this.#queryThreads.startFirst();
    this.#threads.startFirst();
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop(true);
    return this.#stopping;
  }

  #listen(at: ControlListener, onLeave = () => {}): Promise<ControlServer> {
    const calls = callsOf({
      host: this.#hostCalls(),
      deployments: this.#deployments,
      reader: this.#reader,
      now: () => this.#now(),
    });
    const options = { token: this.#token, settings: this.#settings, table: controlCalls, calls, onLeave };
    return listenForControl({ ...this.#dependencies, ...options }, at);
  }

  #hostCalls(): PartOfHost<'host'> {
    return {
      setClock: async (setting) => {
        this.#serviceClock = setting;
        this.#queryThreads.setClock(setting);
        await this.#threads.setClock(setting);
      },
      setTls: (certificate) => this.#threads.setTls(certificate),
      listenToPeers: (address) => this.#peers.set(address),
      measure: () => this.#measure(),
      newestSamples: (ids) => this.#samples.newest(ids),
      databaseSizes: (ids) => this.#samples.databases(ids),
      status: () => ({
        pid: process.pid,
        deployments: this.#deployments.size,
        rss: process.memoryUsage.rss(),
        processor: process.cpuUsage(),
      }),
      stop: () => this.stop(),
    };
  }

  #now(): number {
    return serviceTime(this.#serviceClock, this.#dependencies.clock.now());
  }

  #startTimetable(): HostTimetable {
    const entries = [
      { name: 'sample', every: SAMPLE_MS, run: () => this.#sample() },
      { name: 'check the data directory', every: WATCH_MS, run: () => this.#lookForFile() },
      { name: 'check files', every: CHECKS_MS, run: () => this.#deployments.checkFiles(CHECKED_EVERY_MS) },
      { name: 'end the idle reader', every: IDLE_MS, run: () => this.#reader.endIfIdle() },
      { name: 'end the idle backup thread', every: IDLE_MS, run: () => this.#backups.endIfIdle() },
    ];
    return new HostTimetable(entries, this.#dependencies);
  }

  async #measure(): Promise<void> {
    const reported = Promise.all([
      ...[this.#queryThreads.reportFigures(), this.#threads.reportFigures()],
      ...[this.#search.reportFigures(), this.#deployments.reportSearch()],
    ]);
    let cancel = () => {};
    const late = new Promise<void>((resolve) => {
      cancel = this.#dependencies.clock.after(TELL_MS, resolve);
    });
    await Promise.race([reported, late]);
    cancel();
    await this.#timetable?.now('sample');
  }

  /** Records a sample with the current service time. */
  #sample(): Promise<void> {
    const disk = statfsSync(this.#settings.dataDir, { throwIfNoEntry: false } as object);
    const [free, total] = [disk.bavail * disk.bsize, disk.blocks * disk.bsize];
    const { dataDir } = this.#settings;
    return this.#deployments.sample({
      ...{ time: this.#now(), taken: this.#dependencies.clock.now(), free, total },
      ...{ memory: processMemory(), machine: machineFigures(dataDir) },
    });
  }

  #lookForFile(): void {
    if (this.#stopping !== undefined || !isHostFileGone(this.#settings.dataDir, this.#token)) return;
    this.#dependencies.log.warn({}, 'the data directory is gone; the engine host ends');
    this.#stopping = this.#stop(false);
  }

  async #stop(removeFile: boolean): Promise<void> {
    // Do not await this. The periodic task that has found the data directory missing is waiting for this method, so
    // both would wait forever.
    void this.#timetable?.stop();
    this.#peers.close();
    await this.#backups.stop();
    await this.#deployments.close();
    await this.#search.stop();
    await this.#checks.stop();
    await this.#reader.stop();
    await this.#queryThreads.stop(this.#dependencies.clock);
    await this.#threads.stop();
    if (removeFile) rmSync(hostFilePath(this.#settings.dataDir), { force: true });
    this.#dependencies.log.info({}, 'engine host has stopped');
    // Defer this, so that the reply to `stop` is sent before the process ends.
    setImmediate(() => {
      this.#control?.end();
      this.#end();
    });
  }
}

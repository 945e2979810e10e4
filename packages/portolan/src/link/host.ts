import type { MachineClock } from '@portolan/foundation/clock';
import type { Log } from '@portolan/foundation/log';
import type { Random } from '@portolan/foundation/random';
import {
  MAX_NAME_LENGTH,
  type Orders,
  type Report,
  type ReportedDeployment,
  type ReportedProject,
  type Surveyed,
} from '@portolan/service/live-migrations';
import {
  boundedReplies,
  COMMAND_MS,
  closeAll,
  PermanentError,
  sharesMember,
  unlessStuck,
} from '@portolan/service/replication';
import { MongoClient } from 'mongodb';
import { MigrationRun } from './migration/run.ts';
import { LinkError, type LinkSettings, type SourceSetting } from './settings.ts';
import { type DeploymentIdentity, describe } from './sources/describe.ts';
import { problemOf, surveySource } from './sources/survey.ts';

/** Server selection timeout. On a busy machine, a healthy source can take several seconds to respond. */
const SELECTION_MS = 10_000;

interface HostOptions {
  readonly settings: LinkSettings;
  readonly version: string;
  readonly machine: MachineClock;
  readonly random: Random;
  readonly log: Log;
}

/** The state of a migration host: its sources, surveys and migrations. */
export class MigrationHost {
  readonly #options: HostOptions;
  readonly #clients = new Map<SourceSetting, MongoClient>();
  /**
   * Sources by name. An entry stays while its source is unreachable, so that an order never runs against another source
   * of the same name.
   */
  readonly #names = new Map<string, SourceSetting>();
  /** The identity of each source, recorded when the host first reached the source. */
  readonly #identities = new Map<SourceSetting, DeploymentIdentity>();
  /** Why the host does not report a source. Each reason is logged once. */
  readonly #problems = new Map<SourceSetting, string>();
  /** The sources that the host reports, by name. */
  #known = new Map<string, { readonly uri: string; readonly deployment: ReportedDeployment }>();
  readonly #surveys = new Map<string, Surveyed | undefined>();
  readonly #runs = new Map<string, MigrationRun>();
  /** The migrations that, at the last report, another migration host had taken over. */
  #superseded: ReadonlySet<string> = new Set();

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Whether the next report should come soon, since surveys or migrations are running. */
  get isBusy(): boolean {
    return this.#surveys.size > 0 || this.#runs.size > 0;
  }

  get deployments(): number {
    return this.#known.size;
  }

  /**
   * Contacts all sources. The host does not report those that it cannot reach. At the start, throws if two sources have
   * the same name or are the same deployment.
   */
  async refreshSources(): Promise<void> {
    const { settings, log, machine, version } = this.#options;
    const isFirst = this.#names.size === 0;
    const found = await Promise.all(
      settings.sources.map(async (source) => {
        try {
          const client = this.#clientOf(source);
          const { deployment, identity } = await unlessStuck(machine, [client], () =>
            describe(client, source.name, version),
          );
          const clash = this.#duplicateOf(identity, source) ?? this.#nameConflict(deployment.name, source);
          if (clash !== undefined) throw isFirst ? new LinkError(clash) : new PermanentError(clash);
          this.#problems.delete(source);
          return [deployment.name, { uri: source.uri, deployment }] as const;
        } catch (error) {
          if (error instanceof LinkError) throw error;
          const reason = problemOf(error);
          if (this.#problems.get(source) !== reason)
            log.warn({ source: source.label, reason }, 'a source cannot be reported');
          this.#problems.set(source, reason);
          await this.#forget(source);
          return undefined;
        }
      }),
    );
    this.#known = new Map(found.filter((entry) => entry !== undefined));
  }

  /** Records the identity of a source. Returns why the source cannot be used, or undefined if it can. */
  #duplicateOf(identity: DeploymentIdentity, source: SourceSetting): string | undefined {
    const isSame = ([other, { sharded, members }]: [SourceSetting, DeploymentIdentity]) =>
      other !== source && sharded === identity.sharded && sharesMember(members, identity.members);
    const [other] = [...this.#identities].find(isSame) ?? [];
    if (other === undefined) this.#identities.set(source, identity);
    return (
      other && `The sources ${other.label} and ${source.label} are the same deployment: specify it only once`
    );
  }

  /** Records the name of a source. Returns why the source cannot have this name, or undefined if it can. */
  #nameConflict(name: string, source: SourceSetting): string | undefined {
    const other = this.#names.get(name) ?? source;
    this.#names.set(name, other);
    if (other === source) return undefined;
    return `The sources ${other.label} and ${source.label} are both called ${name}: give them names, --source NAME=mongodb://…`;
  }

  #clientOf(source: SourceSetting): MongoClient {
    const options = {
      ...{ appName: 'portolan link', maxPoolSize: 2, ...boundedReplies() },
      ...{ serverSelectionTimeoutMS: SELECTION_MS, socketTimeoutMS: COMMAND_MS },
    };
    const client = this.#clients.get(source) ?? new MongoClient(source.uri, options);
    this.#clients.set(source, client);
    return client;
  }

  /** Drop the client, since a client whose first connection failed does not try again. */
  async #forget(source: SourceSetting): Promise<void> {
    const client = this.#clients.get(source);
    this.#clients.delete(source);
    if (client !== undefined) await closeAll(this.#options.machine, [client]);
  }

  report(): Report {
    const { organization, project, host } = this.#options.settings;
    const deployments = [...this.#known.values()].map(({ deployment }) => deployment);
    const isSuperseded = ([, run]: [string, MigrationRun]) => run.isSuperseded;
    this.#superseded = new Set([...this.#runs].filter(isSuperseded).map(([id]) => id));
    return {
      organization,
      ...(host === undefined ? {} : { host }),
      projects: [{ ...project, deployments, unreported: this.#unreported() }],
      surveys: [...this.#surveys.values()].filter((survey) => survey !== undefined),
      migrations: [...this.#runs.values()].filter((run) => !run.isSuperseded).map((run) => run.progress()),
    };
  }

  /**
   * Returns the sources that the host cannot report. A source without a configured name keeps the name under which it
   * was last known.
   */
  #unreported(): NonNullable<ReportedProject['unreported']> {
    const known = new Map([...this.#names].map(([name, source]) => [source, name]));
    return [...this.#problems].map(([source, problem]) => ({
      name: source.name ?? known.get(source) ?? source.label.slice(0, MAX_NAME_LENGTH),
      problem,
    }));
  }

  /** Starts the ordered surveys and migrations that are not running yet. Stops those that are no longer ordered. */
  async take({ surveys, migrations }: Orders): Promise<void> {
    for (const id of this.#surveys.keys()) {
      if (surveys.every((one) => one.id !== id)) this.#surveys.delete(id);
    }
    for (const { id, source } of surveys) {
      if (this.#surveys.has(id)) continue;
      this.#surveys.set(id, undefined);
      const uri = this.#known.get(source.deployment)?.uri;
      surveySource(id, uri, source, this.#options.machine).then((survey) => {
        if (this.#surveys.has(id)) this.#surveys.set(id, survey);
      }, this.#unexpected);
    }
    for (const [id, run] of this.#runs) {
      const order = migrations.find((one) => one.id === id);
      // The service sends no orders for a superseded run that has ended. If this host still gets the order,
      // the other host has the same name.
      if (order?.attempt === run.attempt && this.#superseded.has(id))
        throw new LinkError('another migration host of the same name has taken over');
      if (order?.attempt === run.attempt) run.take(order);
      else if (run.isOver) this.#runs.delete(id);
      // Stop this attempt. The next attempt starts once this one has ended.
      else void run.stop();
    }
    for (const order of migrations) if (!this.#runs.has(order.id)) this.#begin(order);
  }

  #begin(order: Orders['migrations'][number]): void {
    const { settings, machine, random, log } = this.#options;
    const uri = this.#known.get(order.source.deployment)?.uri;
    // The source is unreachable at the moment. The response to the next report contains the order again.
    if (uri === undefined) return;
    const { authorityFile } = settings;
    this.#runs.set(
      order.id,
      new MigrationRun({
        order,
        uri,
        authorityFile,
        machine,
        random,
        log: log.child({ migration: order.id }),
      }),
    );
  }

  readonly #unexpected = (error: Error) => {
    this.#options.log.error({ reason: error.message }, 'a source could not be inspected');
  };

  async close(): Promise<void> {
    await Promise.all([...this.#runs.values()].map((run) => run.stop()));
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

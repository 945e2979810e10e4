import { mkdir, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Journal, type OwnAudit } from '../observe/journal.ts';
import type { LogEvent } from '../observe/observer.ts';
import { SEARCH_FILE } from '../search/file/remove-file.ts';
import { withElections } from './election.ts';
import type { HostParts } from './host-parts.ts';
import type { HostSample } from './machine-figures.ts';
import { lifeAudits } from './own-audits.ts';
import { type DeploymentRecord, writeRecord } from './record.ts';
import type { ClusterSearch } from './search-nodes.ts';
import { memberAddresses } from './topology.ts';

/** The state of a deployment in files: its record, and the logs and samples of its members. */
export class DurableState {
  readonly journal: Journal;
  readonly #directory: string;
  readonly #parts: HostParts;
  #record: DeploymentRecord;

  constructor(directory: string, record: DeploymentRecord, parts: HostParts) {
    this.#directory = directory;
    this.#record = record;
    this.#parts = parts;
    this.journal = new Journal(directory);
    this.#configureJournal();
  }

  get record(): DeploymentRecord {
    return this.#record;
  }

  /** Writes a new record. Logs the elections that the record adds. */
  async save(next: DeploymentRecord): Promise<void> {
    const record = withElections(this.#record, next, this.#parts.now());
    await mkdir(this.#directory, { recursive: true, mode: 0o700 });
    await writeRecord(this.#directory, record);
    this.#logElections(this.#record.primaries, record.primaries);
    this.#record = record;
    this.#configureJournal();
  }

  audit(audits: readonly OwnAudit[]): void {
    for (const audit of audits) this.journal.audit(this.#parts.now(), audit);
  }

  /** Writes an entry to the log of every member. */
  #logAll(event: Pick<LogEvent, 'c' | 'id' | 'msg' | 'attr'>): void {
    this.journal.logAll(this.#parts.now(), { s: 'I', ctx: 'main', ...event });
  }

  logStartup(): void {
    const { spec, primaries } = this.#record;
    this.#logAll({ c: 'CONTROL', id: 4615611, msg: 'Server starting', attr: { version: spec.version } });
    this.audit(lifeAudits(this.#record, 'startup'));
    this.#logElections([], primaries);
  }

  logShutdown(): void {
    this.#logAll({ c: 'CONTROL', id: 20565, msg: 'Now exiting' });
    this.audit(lifeAudits(this.#record, 'shutdown'));
  }

  #logElections(before: readonly string[], after: readonly string[]): void {
    const { term } = this.#record;
    const log = (member: string, id: number, msg: string, s: 'I' | 'W') =>
      this.journal.log(this.#parts.now(), {
        member,
        s,
        c: 'REPL',
        id,
        ctx: 'ReplCoord',
        msg,
        attr: { term },
      });
    for (const member of before)
      if (!after.includes(member)) log(member, 6015310, 'Stepping down from primary', 'W');
    for (const member of after) {
      if (!before.includes(member)) log(member, 21450, 'Election succeeded, assuming primary role', 'I');
    }
  }

  /** Records a sample of every member. Measures the sizes of files. */
  async sample(
    { free, total, ...shared }: HostSample,
    search: ReturnType<ClusterSearch['figures']>,
  ): Promise<void> {
    const used = await bytesIn(this.#directory);
    const disk = await bytesIn(this.#directory, SEARCH_FILE);
    this.journal.sample({ ...shared, disk: { used, free, total } }, { ...search, disk });
  }

  #configureJournal(): void {
    const members = memberAddresses(this.#record, this.#parts.settings.advertise);
    this.journal.configure(this.#parts.now(), members, this.#record.spec.auditing);
  }
}

/**
 * Returns the total size of all files in a directory with this name prefix. Ignores subfolders, because their size is
 * limited.
 */
async function bytesIn(directory: string, prefix = ''): Promise<number> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.startsWith(prefix));
  const sizes = names.map(
    async (name) => (await stat(join(directory, name)).catch(() => undefined))?.size ?? 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

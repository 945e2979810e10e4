import type { RawDocument } from '../../bson/raw.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import { inheritMetadata } from '../metadata.ts';
import { memoryOnly, noDiskFor, type SpillFile, StageMemory, type Workspace } from '../workspace.ts';
import { DocumentChunks } from './document-chunks.ts';
import { type Run, readRun, writeRun } from './runs.ts';
import { keptBytes } from './stored-metadata.ts';

/** A list of documents that can be read repeatedly. Documents beyond the memory limit are spilled to a file. */
export class DocumentList implements Iterable<RawDocument> {
  readonly #workspace: Workspace;
  readonly #statement: Statement;
  readonly #stage: string;
  readonly #spilled: Run[] = [];
  #file: SpillFile | undefined;
  #kept: RawDocument[] = [];
  readonly #memory: StageMemory;
  readonly #chunks = new DocumentChunks();

  /** `stage` names the stage in error messages. */
  constructor({ workspace = memoryOnly, statement }: Environment, stage: string) {
    this.#workspace = workspace;
    this.#memory = new StageMemory(workspace);
    this.#statement = statement;
    this.#stage = stage;
  }

  add(given: RawDocument): void {
    this.#statement.check();
    const doc = this.#chunks.keep(given);
    inheritMetadata(given, doc);
    this.#kept.push(doc);
    this.#memory.bytes += keptBytes(doc);
    if (this.#memory.bytes > this.#workspace.bytes('other')) this.#spill();
  }

  *[Symbol.iterator](): Generator<RawDocument> {
    const file = this.#file;
    if (file !== undefined) for (const run of this.#spilled) yield* readRun(file, run);
    yield* this.#kept;
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#kept = [];
    this.#memory.bytes = 0;
  }

  #spill(): void {
    if (!this.#workspace.disk) throw noDiskFor(this.#stage);
    this.#file ??= this.#workspace.open();
    this.#spilled.push(writeRun(this.#file, this.#kept));
    this.#kept = [];
    this.#memory.bytes = 0;
  }
}

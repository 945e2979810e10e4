import type { RawDocument } from '../../bson/raw.ts';
import type { Statement } from '../../statement/statement.ts';
import type { Environment } from '../environment.ts';
import type { KeyTuple } from '../index-keys.ts';
import { inheritMetadata } from '../metadata.ts';
import type { Sort } from '../sort.ts';
import { memoryOnly, outOfMemory, type SpillFile, StageMemory, type Workspace } from '../workspace.ts';
import { DocumentChunks } from './document-chunks.ts';
import { type Run, readRun, writeRun } from './runs.ts';
import { keptBytes } from './stored-metadata.ts';

/**
 * Estimated memory, in bytes, for the sort key of a document and for the objects that contain the key and the document.
 * This memory counts only if the sort can spill.
 */
const KEYED_BYTES = 192;

/**
 * Up to this limit, documents are not copied into chunks, because most of them are discarded. With a larger
 * limit, few documents are discarded before the sort spills.
 */
const FEW = 100_000;

/** The part of a sort that is needed to sort documents. */
export type Order = Pick<Sort, 'keyOf' | 'compareKeys'> & Partial<Pick<Sort, 'isBehind'>>;

interface Keyed {
  readonly doc: RawDocument;
  readonly key: KeyTuple;
}

/** The source of the documents. */
export interface Source {
  /** Throws if the document read last is damaged. */
  check?(): void;
  /**
   * Returns the document read last, validated and with all its fields. Called only for documents that may be within the
   * limit.
   */
  whole?(): { readonly doc: RawDocument } | undefined;
}

/**
 * Yields at most `limit` documents in order; equal documents keep their order. Beyond the memory limit, sorted runs are
 * spilled to a file and merged at the end. Throws `QueryExceededMemoryLimitNoDiskUseAllowed`.
 */
export function* sortedWithin(
  docs: Iterable<RawDocument>,
  sort: Order,
  { workspace = memoryOnly, statement }: Pick<Environment, 'workspace' | 'statement'>,
  limit = Number.POSITIVE_INFINITY,
  source: Source = {},
): Generator<RawDocument> {
  const sorter = new Sorter(sort, workspace, limit, source);
  try {
    for (const doc of docs) {
      statement.check();
      sorter.add(doc);
    }
    yield* sorter.finish(statement);
  } finally {
    sorter.close();
  }
}

class Sorter {
  readonly #sort: Order;
  readonly #workspace: Workspace;
  readonly #most: number;
  readonly #limit: number;
  readonly #source: Source;
  #kept: Keyed[] = [];
  readonly #memory: StageMemory;
  /**
   * The chunks that contain kept documents. Undefined if the limit is small, because discarded documents would stay
   * in their chunks.
   */
  readonly #chunks: DocumentChunks | undefined;
  /** Documents that sort at or after this key cannot be within the limit. */
  #worst: KeyTuple | undefined;
  #file: SpillFile | undefined;
  readonly #runs: Run[] = [];

  constructor(sort: Order, workspace: Workspace, limit: number, source: Source) {
    this.#sort = sort;
    this.#workspace = workspace;
    this.#memory = new StageMemory(workspace);
    this.#most = workspace.bytes('sort');
    this.#limit = limit;
    this.#source = source;
    this.#chunks = limit > FEW ? new DocumentChunks() : undefined;
    workspace.noted?.('sort');
  }

  add(given: RawDocument): void {
    // With a small limit, most documents are discarded here, before they are copied.
    if (this.#worst !== undefined && this.#isBehind(given, this.#worst)) return;
    const whole = this.#source.whole === undefined ? given : this.#source.whole()?.doc;
    if (whole === undefined) return;
    const doc = this.#chunks?.keep(whole) ?? whole.compact();
    inheritMetadata(whole, doc);
    inheritMetadata(given, doc);
    this.#kept.push({ doc, key: this.#sort.keyOf(doc) });
    this.#memory.bytes += keptBytes(doc);
    // Cut the list at this size, to limit its memory and the number of copies. Sorting this many documents is still
    // cheap.
    if (this.#kept.length >= this.#limit * 2 + 64) this.#cut();
    const held = this.#memory.bytes + (this.#workspace.disk ? this.#kept.length * KEYED_BYTES : 0);
    if (held > this.#most) this.#spill();
  }

  #isBehind(doc: RawDocument, key: KeyTuple): boolean {
    const { isBehind, compareKeys, keyOf } = this.#sort;
    try {
      return isBehind?.(doc, key) ?? compareKeys(keyOf(doc), key) >= 0;
    } catch (error) {
      // The error may be a consequence of a damaged document. In that case, report the damage instead.
      this.#source.check?.();
      throw error;
    }
  }

  *finish(statement: Statement): Generator<RawDocument> {
    this.#cut();
    if (this.#file === undefined) {
      for (const { doc } of this.#kept) yield doc;
      return;
    }
    const file = this.#file;
    const sources = this.#runs.map((run) => readRun(file, run));
    let left = this.#limit;
    for (const doc of this.#merged([...sources, this.#kept.values().map(({ doc: kept }) => kept)])) {
      if (left-- <= 0) return;
      statement.check();
      yield doc;
    }
  }

  close(): void {
    this.#file?.close();
    this.#kept = [];
    this.#memory.bytes = 0;
  }

  #cut(): void {
    this.#kept.sort((a, b) => this.#sort.compareKeys(a.key, b.key));
    if (this.#kept.length <= this.#limit) return;
    this.#kept.length = this.#limit;
    this.#worst = this.#kept.at(-1)?.key;
    this.#memory.bytes = this.#kept.reduce((sum, { doc }) => sum + keptBytes(doc), 0);
  }

  #spill(): void {
    if (!this.#workspace.disk) {
      throw outOfMemory(
        `Sort exceeded memory limit of ${this.#most} bytes, but did not opt in to external sorting.`,
      );
    }
    this.#cut();
    this.#file ??= this.#workspace.open();
    this.#workspace.noted?.('spilledSort');
    this.#runs.push(
      writeRun(
        this.#file,
        this.#kept.values().map(({ doc }) => doc),
      ),
    );
    this.#kept = [];
    this.#memory.bytes = 0;
  }

  /** Finds the least head by a linear search, because there are few runs: some dozens for gigabytes. */
  *#merged(sources: ReadonlyArray<Iterator<RawDocument>>): Generator<RawDocument> {
    const heads = sources.map((source) => this.#head(source));
    for (;;) {
      let least: number | undefined;
      for (const [i, head] of heads.entries()) {
        if (head === undefined) continue;
        const best = least === undefined ? undefined : heads[least];
        if (best === undefined || this.#sort.compareKeys(head.key, best.key) < 0) least = i;
      }
      const head = least === undefined ? undefined : heads[least];
      if (least === undefined || head === undefined) return;
      yield head.doc;
      heads[least] = this.#head(sources[least] as Iterator<RawDocument>);
    }
  }

  #head(source: Iterator<RawDocument>): { readonly doc: RawDocument; readonly key: KeyTuple } | undefined {
    const { done, value } = source.next();
    return done ? undefined : { doc: value, key: this.#sort.keyOf(value) };
  }
}

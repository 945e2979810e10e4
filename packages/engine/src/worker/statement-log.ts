import { writeDocument } from '../bson/document-writer.ts';
import { toBigInt, toNumber } from '../bson/numbers/convert.ts';
import { documentOf, type RawDocument } from '../bson/raw.ts';
import { int32, int64, type Value } from '../bson/value.ts';
import type { Retries, StatementOutcome } from '../commands/context/request.ts';
import type { Origin } from '../storage/oplog/entry.ts';

/** Consecutive statements with the same result, which are stored together. A batch of inserts is one run. */
interface Run extends StatementOutcome {
  readonly first: number;
  count: number;
}

/** The results of the statements of a retryable write, so that a retry does not repeat them. */
export class StatementLog implements Retries {
  readonly retried: number[] = [];
  readonly #write: Omit<Origin, 'stmtId'>;
  readonly #ids: (index: number) => number;
  /** True if the statement ids are consecutive numbers. */
  readonly #inOrder: boolean;
  readonly #setOrigin: (origin: Origin | undefined) => void;
  readonly #runs: Run[];
  #changed = false;

  /**
   * `stored` is the log of the session's last retryable write. It is used if its `txnNumber` equals that of `write`.
   */
  constructor(
    write: Omit<Origin, 'stmtId'>,
    body: RawDocument,
    stored: RawDocument | undefined,
    setOrigin: (origin: Origin | undefined) => void,
  ) {
    this.#write = write;
    this.#ids = statementIds(body);
    this.#inOrder = !body.has('stmtIds');
    this.#setOrigin = setOrigin;
    const same = stored !== undefined && storedNumber(stored) === write.txnNumber;
    this.#runs = same ? runsOf(stored) : [];
  }

  get changed(): boolean {
    return this.#changed;
  }

  once(index: number, run: () => StatementOutcome): StatementOutcome {
    const stmtId = this.#ids(index);
    const known = this.#runs.find(({ first, count }) => first <= stmtId && stmtId < first + count);
    if (known !== undefined) {
      this.retried.push(stmtId);
      return known;
    }
    this.#setOrigin({ ...this.#write, stmtId });
    try {
      const outcome = run();
      // Record nothing if nothing has changed, since such a statement may run again.
      if (outcome.n > 0 || outcome.reply !== undefined) this.#record(stmtId, outcome);
      return outcome;
    } finally {
      this.#setOrigin(undefined);
    }
  }

  runBatch(index: number, count: number, run: () => boolean): boolean {
    const stmtId = this.#ids(index);
    const known = this.#runs.some((one) => one.first < stmtId + count && stmtId < one.first + one.count);
    if (known || !this.#inOrder) return false;
    this.#setOrigin({ ...this.#write, stmtId });
    try {
      if (!run()) return false;
      this.#record(stmtId, { n: 1 }, count);
      return true;
    } finally {
      this.#setOrigin(undefined);
    }
  }

  /** Encodes the log for storage. */
  encode(): RawDocument {
    return writeDocument((writer) => {
      writer.field('txnNumber', int64(this.#write.txnNumber));
      this.#runs.forEach((run, i) => {
        writer.field(String(i), encodeRun(run).toValue());
      });
    });
  }

  #record(stmtId: number, outcome: StatementOutcome, count = 1): void {
    this.#changed = true;
    const last = this.#runs.at(-1);
    if (last !== undefined && last.first + last.count === stmtId && isAlike(last, outcome))
      last.count += count;
    else this.#runs.push({ ...outcome, first: stmtId, count });
  }
}

/** Returns the number of the stored write, or -1 if there is none. */
export function storedNumber(stored: RawDocument | undefined): bigint {
  const value = stored?.get('txnNumber');
  return value === undefined ? -1n : toBigInt(value);
}

/** Returns the ids of statements. They are their indexes unless the command contains ids. */
function statementIds(body: RawDocument): (index: number) => number {
  const ids = body.array('stmtIds');
  const first = body.int('stmtId') ?? 0;
  return (index) => {
    const id = ids?.[index];
    return id === undefined ? first + index : toNumber(id);
  };
}

function isAlike(run: StatementOutcome, outcome: StatementOutcome): boolean {
  const alone = [run.upserted, run.reply, outcome.upserted, outcome.reply].some((part) => part !== undefined);
  return !alone && run.n === outcome.n && run.modified === outcome.modified;
}

function encodeRun({ first, count, n, modified, upserted, reply }: Run): RawDocument {
  return writeDocument((writer) => {
    writer.field('first', int32(first));
    writer.field('count', int32(count));
    writer.field('n', int32(n));
    if (modified !== undefined) writer.field('modified', int32(modified));
    if (upserted !== undefined) writer.field('upserted', upserted);
    if (reply !== undefined) writer.field('reply', reply.toValue());
  });
}

function runsOf(stored: RawDocument): Run[] {
  return [...stored].filter(({ name }) => name !== 'txnNumber').map((entry) => decodeRun(documentOf(entry)));
}

function decodeRun(run: RawDocument): Run {
  const number = (name: string) => toNumber(run.get(name) as Value);
  const upserted = run.get('upserted');
  const reply = run.document('reply');
  return {
    first: number('first'),
    count: number('count'),
    n: number('n'),
    ...(run.has('modified') ? { modified: number('modified') } : {}),
    ...(upserted === undefined ? {} : { upserted }),
    ...(reply === undefined ? {} : { reply }),
  };
}

import { writeDocument } from '../../bson/document-writer.ts';
import type { RawDocument } from '../../bson/raw.ts';
import { int64, int64Of, trueValue } from '../../bson/value.ts';

/** Returns the session record of a committed transaction. */
export function transactionRecord(number: bigint): RawDocument {
  return writeDocument((writer) => {
    writer.field('txnNumber', int64(number));
    writer.field(COMMITTED, trueValue);
  });
}

/** True if the record belongs to the committed transaction with this number. */
export function isTransactionRecord(record: RawDocument, number: bigint): boolean {
  const stored = record.get('txnNumber');
  return record.has(COMMITTED) && stored !== undefined && int64Of(stored) === number;
}

const COMMITTED = 'committed';

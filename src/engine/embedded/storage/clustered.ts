import type { AccessPath } from './access.ts';
import { Collection } from './collection.ts';
import type { RecordStream } from './scan.ts';

/** A collection whose documents lie in the order of `_id`: that is its natural order. */
export class ClusteredCollection extends Collection {
  override scan(path: AccessPath, expected?: number): RecordStream {
    return super.scan(path.kind === 'natural' ? { kind: 'byId', reverse: path.reverse } : path, expected);
  }
}

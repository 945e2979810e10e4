import type { ScanFigures } from '../indexes/index-scan.ts';
import type { AccessPath } from '../model/access-path.ts';
import type { RecordStream, Use } from '../records/scan.ts';
import { Collection } from './collection.ts';

/** A collection that stores its documents in `_id` order, which is its natural order. */
export class ClusteredCollection extends Collection {
  protected override get hasIdIndex(): boolean {
    return false;
  }

  override scan(path: AccessPath, expected?: number, figures?: ScanFigures, use?: Use): RecordStream {
    const along = path.kind === 'natural' ? ({ kind: 'byId', reverse: path.reverse } as const) : path;
    return super.scan(along, expected, figures, use);
  }
}

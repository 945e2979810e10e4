import { writeDocument } from '../../../bson/document-writer.ts';
import type { RawDocument } from '../../../bson/raw.ts';
import { BUCKETS } from '../../../storage/buckets/layout.ts';
import type { LoggedChange } from './entry.ts';
import type { EventParts } from './event-parts.ts';

/**
 * Builds the event for a change of a view definition. Returns no event for the view of a time series, because changes
 * of time series are reported as changes of collections (`collection-event.ts`).
 */
export function viewEvents({ kind, o, o2 }: LoggedChange, db: string): EventParts[] {
  const definition = kind === 'd' ? o2 : o;
  if (definition?.string('viewOn')?.startsWith(BUCKETS) === true) return [];
  const id = (kind === 'u' ? o2 : o)?.string('_id') ?? '';
  // The UUID in the entry belongs to `system.views` and not to the view.
  const body = { ns: { db, coll: id.slice(db.length + 1) }, collectionUUID: undefined };
  if (kind === 'd') return [{ operationType: 'drop', body }];
  const described = { ...body, operationDescription: withoutId(o) };
  if (kind === 'u') return [{ operationType: 'modify', body: described }];
  return [{ operationType: 'create', body: { ...described, nsType: 'view' } }];
}

function withoutId(definition: RawDocument): RawDocument {
  return writeDocument((writer) => {
    for (const element of definition) if (element.name !== '_id') writer.element(element);
  });
}

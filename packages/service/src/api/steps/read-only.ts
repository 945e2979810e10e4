import { utcDate } from '../dates.ts';
import type { Edge } from '../edge.ts';
import type { Admitted, Exchange } from '../exchange.ts';
import { generalFaults } from '../faults.ts';
import { type Call, NO_DOCUMENT } from '../operation.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import { type Fields, noFields } from '../schema/body-fields.ts';
import { isPlainObject } from '../schema/json-schema.ts';
import { callOf } from './call.ts';

/**
 * Throws `ATTRIBUTE_READ_ONLY` for the first read-only field whose value differs from the present value. The present
 * values are the values of the entity before the change or, for a new entity, the values that the path determines.
 * For times that the service updates, an earlier value is accepted, too.
 */
export async function checkReadOnly(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  { fields, call }: { readonly fields: Fields; readonly call: Call },
): Promise<void> {
  if (fields.readOnly.size === 0) return;
  const shown = await presentDocuments(edge, exchange, admitted, call);
  for (const [path, sent] of fields.readOnly) {
    // If the body is a list, compare the fields of each of its elements with all documents in `shown`.
    const place = Array.isArray(fields.body) ? path.replace(/^\d+\./, '') : path;
    const repeats = fields.readOnly.advancing.has(path) ? isSameOrEarlier : isSame;
    if (!shown.some((document) => repeats(valueAt(document, place), sent)))
      throw generalFaults.ATTRIBUTE_READ_ONLY(path);
  }
}

/** Returns the entity in two shapes: the operation's own shape and the shape of the requested version. */
async function presentDocuments(
  edge: Edge,
  exchange: Exchange,
  admitted: Admitted,
  call: Call,
): Promise<readonly unknown[]> {
  const { served, params } = admitted;
  const { operation } = served;
  if (operation.repeatable) return documentsOf(served, await operation.repeatable(call));
  const reader = ['PUT', 'PATCH'].includes(operation.method) ? readerOf(edge, admitted) : undefined;
  if (reader === undefined) return documentsOf(served, params);
  const reading = { ...admitted, ...reader, query: {} };
  const entity = await reader.served.operation.handler(
    callOf(edge, exchange, reading, { fields: noFields, read: edge.read }),
  );
  return entity === NO_DOCUMENT ? [] : documentsOf(reader.served, entity);
}

/** Returns the GET operation on the same path, in the requested version. */
function readerOf(edge: Edge, { route, served }: Admitted): Pick<Admitted, 'route' | 'served'> | undefined {
  const reader = edge.tableOf(served.surface.dialect).readerOf(route);
  const version = reader?.servedWith(served);
  return reader && version?.shape && { route: reader, served: version };
}

function documentsOf(served: OperationVersion, entity: unknown): readonly unknown[] {
  const noLinks = () => [];
  const own = served.presentOwn(entity, noLinks);
  const write = served.shape?.change?.write as ((entity: unknown) => unknown) | undefined;
  return write ? [own, served.present(write(entity), noLinks)] : [own];
}

function valueAt(document: unknown, path: string): unknown {
  let value = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

/** Whether two values are equal, apart from links of nested entities and from time zones of dates. */
function isSame(shown: unknown, sent: unknown): boolean {
  if (shown === sent) return true;
  if (typeof shown === 'string' && typeof sent === 'string') return isSameDate(shown, sent);
  if (Array.isArray(shown) && Array.isArray(sent)) {
    return shown.length === sent.length && shown.every((item, index) => isSame(item, sent[index]));
  }
  if (!isPlainObject(shown) || !isPlainObject(sent)) return false;
  const names = new Set([...Object.keys(shown), ...Object.keys(sent)]);
  names.delete('links');
  return names.values().every((name) => isSame(shown[name], sent[name]));
}

function isSameOrEarlier(shown: unknown, sent: unknown): boolean {
  if (isSame(shown, sent)) return true;
  if (typeof shown !== 'string' || typeof sent !== 'string') return false;
  const date = utcDate(sent);
  return date !== undefined && Date.parse(date) < Date.parse(shown);
}

function isSameDate(shown: string, sent: string): boolean {
  const date = utcDate(shown);
  return date !== undefined && date === utcDate(sent)?.replace(/\.\d+Z$/, 'Z');
}

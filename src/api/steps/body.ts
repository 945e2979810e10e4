import type { Edge } from '../edge.ts';
import { protocolFault } from '../faults.ts';
import { parseJson } from '../http/json-text.ts';
import { type Incoming, readBody } from '../http/read-body.ts';
import type { Served } from '../routes/served.ts';
import type { Fields } from '../schema/body-fields.ts';
import { violationFault } from '../schema/violations.ts';

const json = /^application\/(?:vnd\.service\.[^+;\s]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * The JSON document of a body; nothing where it is empty, whatever its type. Throws 415, 413, 408, and 400 for what
 * is no JSON.
 */
export async function readDocument(edge: Edge, served: Served, incoming: Incoming): Promise<unknown> {
  const { headers, stream } = incoming;
  if (stream === undefined || !takesBody(served)) return undefined;
  const type = headers['content-type'];
  const announced = Number(headers['content-length'] ?? 0);
  const isJson = type === undefined || json.test(type);
  if (announced > 0 && !isJson) throw unsupported(type);
  const text = await readBody(incoming, edge.limits, edge.services.machine);
  if (text.trim() === '') return undefined;
  if (!isJson) throw unsupported(type);
  return parseJson(text, edge.limits.bodyDepth);
}

/** A body on GET or DELETE means nothing unless the operation says so; others take an empty object at least. */
function takesBody({ shape, operation }: Served): boolean {
  return shape?.body !== undefined || !['GET', 'DELETE'].includes(operation.method);
}

function unsupported(type: string) {
  return protocolFault(415, `Bodies of type ${type} are not understood; send application/json.`);
}

/** The fields of a body, checked against the schema. Throws for the first problem. */
export async function readFields(served: Served, document: unknown): Promise<Fields> {
  if (!takesBody(served)) return noFields;
  const fields = served.read(document === undefined && served.takesObject ? {} : document);
  const errors = await served.validate(fields.body);
  if (errors) throw violationFault(errors);
  const read = served.shape?.change?.read as ((body: unknown) => unknown) | undefined;
  return read ? { ...fields, body: read(fields.body) } : fields;
}

const noFields: Fields = { body: undefined, readOnly: new Map() };

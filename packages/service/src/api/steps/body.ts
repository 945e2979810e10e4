import type { IncomingHttpHeaders } from 'node:http';
import type { Edge } from '../edge.ts';
import type { Admitted } from '../exchange.ts';
import { protocolFault } from '../faults.ts';
import { takeTurns } from '../http/body-budget.ts';
import { JsonScan } from '../http/json-scan.ts';
import { parseJson } from '../http/json-text.ts';
import { type Incoming, readBody, textOf } from '../http/read-body.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import { type Fields, noFields } from '../schema/body-fields.ts';
import { violationFault } from '../schema/violations.ts';

const json = /^application\/(?:vnd\.\w+\.[^+;\s]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/** A received body, not yet parsed; its bytes are reserved in `edge.budget`. */
export interface Received {
  readonly bytes: Buffer;
  readonly headers: IncomingHttpHeaders;
  readonly scan: JsonScan | undefined;
}

/**
 * Reads the body; undefined if the operation has none. Throws as `readBody` does, 415 for a media type other
 * than JSON, and 400 for a document with too many values or too much depth.
 */
export async function receiveBody(
  edge: Edge,
  { served, owner }: Pick<Admitted, 'served' | 'owner'>,
  incoming: Incoming,
): Promise<Received | undefined> {
  const { headers, stream } = incoming;
  if (stream === undefined || !takesBody(served)) return undefined;
  const { limits, budget, services } = edge;
  const isJson = isJsonType(headers);
  if (!isJson && Number(headers['content-length'] ?? 0) > 0) throw unsupported(headers);
  const scan = isJson ? new JsonScan(limits) : undefined;
  const look = scan && ((piece: Buffer) => scan.add(piece));
  const bytes = await readBody(incoming, { limits, machine: services.machine, budget, owner, look });
  return { bytes, headers, scan };
}

/**
 * Returns the JSON document of a body; undefined for an empty body. Throws 415 if a body that is not empty has
 * another media type, and 400 for invalid JSON.
 */
export async function readDocument({ limits }: Edge, { bytes, headers, scan }: Received): Promise<unknown> {
  const text = textOf(bytes);
  if (text.trim() === '') return undefined;
  if (scan === undefined) throw unsupported(headers);
  await takeTurns(bytes.length);
  const document = parseJson(text, { names: scan.names, longestText: limits.bodyText });
  await takeTurns(bytes.length);
  return document;
}

function isJsonType({ 'content-type': type }: IncomingHttpHeaders): boolean {
  return type === undefined || json.test(type);
}

/**
 * Whether a request of this operation has a body. The body of a GET or DELETE request is ignored unless the operation
 * declares one. Other methods accept an empty object.
 */
function takesBody({ shape, operation }: OperationVersion): boolean {
  return shape?.body !== undefined || !['GET', 'DELETE'].includes(operation.method);
}

function unsupported({ 'content-type': type }: IncomingHttpHeaders) {
  return protocolFault(415, `Bodies of type ${type} are not supported; send application/json.`);
}

/** Reads the fields of a body, and checks them against the schema. Throws for the first problem. */
export async function readFields(served: OperationVersion, document: unknown): Promise<Fields> {
  if (!takesBody(served)) return noFields;
  const fields = served.read(document === undefined && served.takesObject ? {} : document);
  const errors = await served.validate(fields.body);
  if (errors) throw violationFault(errors);
  const read = served.shape?.change?.read as ((body: unknown) => unknown) | undefined;
  return read ? { ...fields, body: read(fields.body) } : fields;
}

import { JsonInTurns, plainJsonOf, RawDocument, shortestJsonOf } from '@portolan/engine/management';
import { nextTurn } from '@portolan/foundation/next-turn';
import { WrittenJson } from '../../api/written-json.ts';
import { commandFaults } from './faults.ts';
import { MAX_DOCUMENTS, MAX_REPLY_BYTES } from './rules.ts';
import type { CommandReply } from './schema.ts';

/** Fields that drivers use for causal consistency. */
const times: ReadonlySet<string> = new Set(['$clusterTime', 'operationTime']);

/**
 * Converts a reply to Extended JSON, without the documents beyond the limits and without cluster times. During the
 * conversion, the service also processes other requests.
 */
export async function shown(
  name: string,
  reply: RawDocument,
  hasMore: boolean,
  turn: () => Promise<void> = nextTurn,
): Promise<CommandReply> {
  const facts = new JsonInTurns(MAX_REPLY_BYTES, { write: plainJsonOf, turn });
  const fields: string[] = [];
  let isCut = hasMore;
  for (const element of reply) {
    if (times.has(element.name)) continue;
    const list = listIn(element.name, reply);
    let text: string | undefined;
    if (list === undefined) text = await facts.textOf(element);
    else {
      const { entries, isWhole } = await fitting(list, turn);
      isCut ||= !isWhole;
      const ns = JSON.stringify(reply.document('cursor')?.string('ns'));
      text = element.name === 'cursor' ? `{"id":0,"ns":${ns},"firstBatch":${entries}}` : entries;
    }
    if (text === undefined) throw commandFaults.DATABASE_REPLY_TOO_LARGE(name, MAX_REPLY_BYTES);
    fields.push(`${JSON.stringify(element.name)}:${text}`);
  }
  return { isCut, reply: new WrittenJson(`{${fields.join()}}`) };
}

/** Returns the list of documents or values in a field of a reply. */
function listIn(field: string, reply: RawDocument): RawDocument | undefined {
  const holder = field === 'cursor' ? reply.document('cursor') : reply;
  const list = holder?.get(field === 'cursor' ? 'firstBatch' : 'values');
  const isHere = field === 'cursor' || field === 'values';
  return isHere && list !== undefined ? new RawDocument(list.bytes, list.start) : undefined;
}

async function fitting(
  list: RawDocument,
  turn: () => Promise<void>,
): Promise<{ readonly entries: string; readonly isWhole: boolean }> {
  const json = new JsonInTurns(MAX_REPLY_BYTES, { write: shortestJsonOf, turn });
  const kept: string[] = [];
  let bytes = 0;
  for (const entry of list) {
    const text = kept.length < MAX_DOCUMENTS ? await json.textOf(entry) : undefined;
    if (text === undefined) return { entries: `[${kept.join()}]`, isWhole: false };
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_REPLY_BYTES) return { entries: `[${kept.join()}]`, isWhole: false };
    kept.push(text);
  }
  return { entries: `[${kept.join()}]`, isWhole: true };
}

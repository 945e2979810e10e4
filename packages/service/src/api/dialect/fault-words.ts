import { Fault, type FaultParameter } from '@portolan/foundation/faults';
import { Challenge } from '../../access/index.ts';
import type { AnyOperation } from '../operation.ts';
import type { DialectChanges } from './dialect.ts';
import { fieldWords } from './entities.ts';
import type { FaultWords, Words } from './words.ts';

/**
 * Translates a fault into the words of a dialect. In its text, only parameters and names of fields are translated,
 * since the rest may quote the caller. `operation` is the requested operation, if the path matches one.
 */
export function faultIn(
  fault: Fault,
  changes: DialectChanges | undefined,
  operation?: Pick<AnyOperation, 'reply'>,
): Fault {
  if (changes === undefined || fault instanceof Challenge) return fault;
  const { fields: everywhere, values } = changes.words;
  const words = { fields: fieldWords(changes, operation?.reply ?? {}, everywhere), values };
  const renamed = new Map<string, string>();
  const rename = (name: string): string => {
    const own = nameIn(name, words);
    if (own !== name) renamed.set(name, own);
    return own;
  };
  const parameters = fault.parameters?.map((parameter) => parameterIn(parameter, rename)) ?? null;
  const fields = fault.fields?.map(({ field, description }) => ({ field: rename(field), description }));
  const reworded = (text: string) =>
    [...renamed].reduce((changed, [name, own]) => changed.replaceAll(name, own), text);
  const own = new Fault(
    codeIn(fault.code, changes.faults),
    fault.status,
    textIn(fault.code, parameters ?? [], changes.faults) ?? reworded(fault.message),
    parameters,
  );
  return own.with({
    fields: fields?.map(({ field, description }) => ({ field, description: reworded(description) })),
    headers: fault.headers,
    stored: fault.stored?.map(reworded),
  });
}

export function codeIn(code: string, { codes, parts }: FaultWords): string {
  const words = code.split('_').map((part) => parts[part] ?? part);
  return codes[code] ?? words.join('_');
}

function textIn(code: string, parameters: readonly FaultParameter[], { texts }: FaultWords) {
  return texts?.[code]?.replace(/\{(\d+)\}/g, (_, index) => String(parameters[Number(index)]));
}

function parameterIn(parameter: FaultParameter, rename: (name: string) => string): FaultParameter {
  if (typeof parameter === 'string') return rename(parameter);
  return Array.isArray(parameter) ? parameter.map(rename) : parameter;
}

/**
 * Returns the dialect's form of a value or of a list of dotted field paths: `replicationSpecs.0.zoneName,
 * dbMajorVersion`.
 */
function nameIn(name: string, { fields, values }: Pick<Words, 'fields' | 'values'>): string {
  if (Object.hasOwn(values, name)) return values[name] ?? name;
  if (!/^[\w.$, ]+$/.test(name)) return name;
  return name.replace(/\w+/g, (field) => (Object.hasOwn(fields, field) ? (fields[field] ?? field) : field));
}

import { type AnyFaultTable, faultRulesOf } from '../../src/api/documents/index.ts';
import { code, page, table } from './markdown.ts';

/** The codes of one part of the service. */
export interface FaultGroup {
  readonly title: string;
  readonly tables: readonly AnyFaultTable[];
}

/** `docs/errors.md`: every code with its status and its sentence. */
export function errorsPage(groups: readonly FaultGroup[]): string {
  return page('Errors', [
    'Every refusal has a body with `errorCode`, `error` (the status), `reason`, `detail` and `parameters`; the code is\n' +
      'also in the header `X-Error-Code`. In the sentences, `{0}` and `{1}` stand for the parameters in their order.\n' +
      'Failures of the protocol itself (405, 408, 413, 415, 431) come with `UNEXPECTED_ERROR`.\n',
    ...groups
      .filter(({ tables }) => tables.length > 0)
      .flatMap(({ title, tables }) => [`## ${title}\n`, faultTable(tables)]),
  ]);
}

function faultTable(tables: readonly AnyFaultTable[]): string {
  const rows = faultRulesOf(tables).map((fault) => [String(fault.status), code(fault.code), fault.detail]);
  return table(['Status', 'Code', 'Detail'], rows);
}

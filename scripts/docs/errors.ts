import { type AnyFaultTable, faultRulesOf } from '../../packages/service/src/api/documents/index.ts';
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
      'Where single fields are wrong, `badRequestDetail` names each of them with what is wrong.\n',
    'Missing and wrong credentials (401) and failures of the protocol itself (a request that is not well-formed,\n' +
      '400; 405, 408, 413, 415, 417, 431; a transfer coding other than chunked, 501) come with `UNEXPECTED_ERROR`.\n' +
      '`/api/oauth/token` and `/api/oauth/revoke` refuse as OAuth 2.0 has it (RFC 6749, 5.2): `error` is a word, such as\n' +
      '`invalid_client`, and `error_description` a sentence.\n',
    ...groups
      .filter(({ tables }) => tables.length > 0)
      .flatMap(({ title, tables }) => [`## ${title}\n`, faultTable(tables)]),
  ]);
}

function faultTable(tables: readonly AnyFaultTable[]): string {
  const rows = faultRulesOf(tables).map((fault) => [String(fault.status), code(fault.code), fault.detail]);
  return table(['Status', 'Code', 'Detail'], rows);
}

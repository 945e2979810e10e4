import type { ReleaseDate } from './versions.ts';

/** Where operations are reached, and the media types they speak (contract 4.1, 9). */

export const LEGACY_BASE = '/api/service/v1.0';
export const VERSIONED_BASE = '/api/service/v2';
/** Extensions, which stand in neither contract nor reference. */
export const OPERATOR_BASE = '/operator/v1';

export const DOCUMENT_BASE = '/api/service/openapi';
export const REFERENCE_PAGE_PATH = '/api/service/docs';

export const TOKEN_PATH = '/api/oauth/token';

export const PLAIN_MEDIA_TYPE = 'application/json';

/** Forms of answers: documents, and bytes of some length that are no document. */
export type AnswerForm = 'gzip' | 'json';

/** That of a version, or the plain one of the paths that know none. */
export function mediaTypeOf(form: AnswerForm, version?: ReleaseDate): string {
  return version === undefined ? `application/${form}` : `application/vnd.service.${version}+${form}`;
}

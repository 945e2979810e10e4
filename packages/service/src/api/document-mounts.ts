import { neutralDialect } from './dialect/dialect.ts';
import type { DocumentInput } from './documents/document.ts';
import { faultRulesOf } from './documents/fault-rules.ts';
import { DocumentLibrary, type ServedText } from './documents/library.ts';
import { inTurns } from './documents/steps.ts';
import { generalFaults } from './faults.ts';
import type { Mount, MountAnswer, MountRequest } from './mounts.ts';
import { pageSteps, referencePagePolicy } from './reference-page/index.ts';
import { NEWEST_VERSION } from './versions.ts';

/**
 * Returns the endpoints for the OpenAPI documents and the reference page. Each document is built on first
 * request.
 */
export function documentMounts(input: DocumentInput): readonly Mount[] {
  const library = new DocumentLibrary(input);
  const { documents, referencePage: pagePath } = (input.dialect ?? neutralDialect).bases;
  let page: Promise<ServedText> | undefined;
  return [
    {
      id: 'openApiDocument',
      method: 'GET',
      path: `${documents}/{name}.json`,
      async handle(request) {
        const text = await library.get(request.params.name ?? '');
        if (!text) throw generalFaults.RESOURCE_NOT_FOUND(`${documents}/${request.params.name}.json`);
        return answer(request, text);
      },
    },
    {
      id: 'referencePage',
      method: 'GET',
      path: pagePath,
      async handle(request) {
        page ??= pageOf(library, input);
        return answer(request, await page, { 'content-security-policy': referencePagePolicy });
      },
    },
  ];
}

async function pageOf(library: DocumentLibrary, input: DocumentInput): Promise<ServedText> {
  const document = JSON.parse((await library.get(NEWEST_VERSION))?.body ?? '{}');
  const faults = faultRulesOf(input.faults, input.dialect?.changes);
  const editions = library.editions.map(({ name }) => name);
  return inTurns(pageSteps({ document, editions, faults, dialect: input.dialect }));
}

async function answer(
  asked: MountRequest,
  { content, contentType }: ServedText,
  more: Record<string, string> = {},
): Promise<MountAnswer> {
  const { status, headers, body } = await content.for(asked.headers);
  // Callers may cache the document, but must revalidate it before use.
  const always = { ...headers, 'cache-control': 'no-cache', ...more };
  return { status, headers: status === 304 ? always : { ...always, 'content-type': contentType }, body };
}

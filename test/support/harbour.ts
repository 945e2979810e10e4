import { type DocumentSet, openApiDocument } from './openapi.ts';

/** A fictitious OpenAPI document, with which the test helpers are tested. */

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const closed = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});
const links = { type: 'array', items: closed({ href: { type: 'string' }, rel: { type: 'string' } }) };

function content(base: string, mediaType: string, deprecated: boolean) {
  const answer = (schema: object, headers = {}) => ({ headers, content: { [mediaType]: { schema } } });
  const status = { type: 'integer' };
  const whole = (schema: object) => ({ anyOf: [schema, closed({ content: schema, status })] });
  const results = { type: 'array', items: ref('schemas', 'Ship') };
  const page = closed({ links, results, status }, ['links', 'results']);
  const refusal = ref('responses', 'Refusal');
  const operation = (operationId: string, success: object, status = '200') => ({
    operationId,
    ...(deprecated ? { deprecated } : {}),
    responses: { [status]: success, 404: ref('responses', 'NotFound'), default: refusal },
  });
  const age = deprecated ? { Deprecation: ref('headers', 'Deprecation') } : {};
  const error = {
    headers: { 'X-Error-Code': ref('headers', 'X-Error-Code') },
    content: { 'application/json': { schema: whole(ref('schemas', 'Error')) } },
  };
  return {
    paths: {
      [base]: { get: operation('getRoot', answer(closed({ links }))) },
      [`${base}/ships`]: { get: operation('listShips', answer(page)) },
      [`${base}/ships/{name}`]: {
        get: operation('getShip', answer(whole(ref('schemas', 'Ship')), age)),
        delete: operation('deleteShip', {}, '204'),
      },
      [`${base}/ships/fleet/size`]: { get: operation('getFleetSize', answer(closed({ links }))) },
    },
    components: {
      headers: {
        Deprecation: { required: true, schema: { type: 'string' } },
        'X-Error-Code': { schema: { type: 'string' } },
      },
      responses: { NotFound: error, Refusal: error },
      schemas: {
        Error: closed({ errorCode: { type: 'string' } }),
        Ship: closed(
          { launched: { type: 'string', format: 'date-time' }, links, name: { type: 'string', 'x-note': 1 } },
          ['links', 'name'],
        ),
      },
    },
  };
}

const versioned = (date: string, isOld: boolean) =>
  content('/api/service/v2', `application/vnd.service.${date}+json`, isOld);

/** The documents of the fictitious service, by path. */
export const harbourDocuments: Readonly<Record<string, ReturnType<typeof content>>> = {
  'v1.0': content('/api/service/v1.0', 'application/json', false),
  '2023-01-01': versioned('2023-01-01', true),
  '2025-03-12': versioned('2025-03-12', false),
};

export function harbour(): DocumentSet {
  const open = (name: string) => {
    const raw = harbourDocuments[name];
    return raw && openApiDocument(name, raw);
  };
  const [legacy, newest] = [open('v1.0'), open('2025-03-12')];
  if (!legacy || !newest) throw new Error('The harbour lacks a document');
  return { legacy, newest, dated: open, all: [legacy, newest] };
}

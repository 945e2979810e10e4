import { OPERATOR_SECURITY } from '../documents/security.ts';
import type { DocumentView, OperationView, Schema } from './view.ts';
import { schemaName } from './view.ts';

/** Returns an example call with curl, with `${name}` as placeholders. */
export function curlExample(operation: OperationView, document: DocumentView): string {
  const url = document.server + operation.path.replaceAll('{', '${');
  return [
    `curl ${credentials(operation)}--cacert ca.pem`,
    ...(operation.method === 'GET' ? [] : [`  --request ${operation.method}`]),
    ...acceptLines(operation),
    ...bodyLines(operation, document),
    `  "${url}${requiredQuery(operation)}"`,
  ].join(' \\\n');
}

function credentials({ security }: OperationView): string {
  if (security?.length === 0) return '';
  if (security?.some((way) => OPERATOR_SECURITY in way)) return '--oauth2-bearer "$operatorToken" ';
  return '--digest --user "$publicKey:$privateKey" ';
}

function acceptLines({ responses }: OperationView): string[] {
  const types = Object.values(responses).flatMap(({ content }) => Object.keys(content ?? {}));
  const versioned = types.find((type) => type.includes('vnd.'));
  return versioned === undefined ? [] : [`  --header 'Accept: ${versioned}'`];
}

function bodyLines({ requestBody }: OperationView, { schemas }: DocumentView): string[] {
  const schema = requestBody && Object.values(requestBody.content)[0]?.schema;
  if (!schema) return [];
  const body = JSON.stringify(sample(schema, schemas)).replaceAll("'", String.raw`'\''`);
  return [`  --json '${body}'`];
}

function requiredQuery({ parameters }: OperationView): string {
  const needed = parameters.filter((one) => one.in === 'query' && one.required === true);
  return needed.length === 0 ? '' : `?${needed.map(({ name }) => `${name}=\${${name}}`).join('&')}`;
}

/** Returns a sample value of a schema: the schema's own example, or its required fields with plain values. */
export function sample(schema: Schema, schemas: DocumentView['schemas']): unknown {
  const named = schema.$ref === undefined ? undefined : schemas[schemaName(schema.$ref) ?? ''];
  if (named) return sample(named, schemas);
  if (Array.isArray(schema.examples)) return schema.examples[0];
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const [first] = schema.allOf ?? schema.anyOf ?? schema.oneOf ?? [];
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => sample(part, schemas)));
  if (first) return sample(first, schemas);
  return plainSample(schema, schemas);
}

function plainSample(schema: Schema, schemas: DocumentView['schemas']): unknown {
  const type = typeof schema.type === 'string' ? schema.type : schema.type?.[0];
  if (type === 'object') {
    const { properties = {} } = schema;
    const names = schema.required ?? [];
    return Object.fromEntries(names.map((name) => [name, sample(properties[name] ?? {}, schemas)]));
  }
  if (type === 'array')
    return schema.items && Number(schema.minItems) > 0 ? [sample(schema.items, schemas)] : [];
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  return schema.format === 'date-time' ? '2030-01-01T00:00:00Z' : 'text';
}

import { html, type Insertable, type Markup, prose } from './html.ts';
import { type Schema, schemaName } from './view.ts';

/** One row of a table of fields. */
interface Field {
  /** A dotted path; `[]` stands for array elements, `*` for any name. */
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/**
 * Returns a table of the fields of a schema. The fields of a nested object follow the field that contains the object.
 */
export function fieldTable(schema: Schema, caption: string): Markup {
  const fields = fieldsWithin(schema, '');
  if (fields.length === 0) return html``;
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Field</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${fields.map((field) => fieldRow(field.name, field.schema, field.required))}</tbody>
</table>`;
}

export function fieldRow(name: string, schema: Schema, required: boolean, description?: string): Markup {
  const text = description ?? schema.description;
  return html`<tr><th scope="row"><code>${name}</code>${required && html` <em>required</em>`}</th>
<td>${typeOf(schema)}</td><td>${prose(text)} ${constraints(schema)}</td></tr>
`;
}

function fieldsWithin(schema: Schema, prefix: string): Field[] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const path = prefix + name;
    const required = schema.required?.includes(name) ?? false;
    return [{ name: path, schema: member, required }, ...fieldsInside(member, path)];
  });
  const parts = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...parts.flatMap((part) => fieldsWithin(part, prefix))];
}

function fieldsInside(schema: Schema, path: string): Field[] {
  if (schema.items) return fieldsInside(schema.items, `${path}[]`);
  if (typeof schema.additionalProperties === 'object')
    return fieldsInside(schema.additionalProperties, `${path}.*`);
  return fieldsWithin(schema, `${path}.`);
}

/** Returns a type as text; named schemas are links. */
export function typeOf(schema: Schema): Insertable {
  const name = schema.$ref === undefined ? undefined : schemaName(schema.$ref);
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`;
  if (schema.items) return html`array of ${typeOf(schema.items)}`;
  if (typeof schema.additionalProperties === 'object')
    return html`map to ${typeOf(schema.additionalProperties)}`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) return joined(alternatives.map(typeOf), ' or ');
  if (schema.allOf) return 'object';
  const type = Array.isArray(schema.type) ? schema.type.join(' or ') : schema.type;
  return typeof schema.format === 'string' ? `${type} (${schema.format})` : (type ?? 'any');
}

function constraints(schema: Schema): Markup {
  const { enum: choice, pattern, default: initial, readOnly, writeOnly, deprecated } = schema;
  const facts: Insertable[] = [
    readOnly === true && 'Read-only.',
    writeOnly === true && 'Write-only.',
    deprecated === true && 'Deprecated.',
    Array.isArray(choice) && html`One of ${joined(choice.map(code), ', ')}.`,
    typeof pattern === 'string' && html`Pattern ${code(pattern)}.`,
    range(schema),
    initial !== undefined && html`Default ${code(initial)}.`,
  ].filter((fact) => fact !== undefined && fact !== false);
  return facts.length === 0 ? html`` : html`<small>${joined(facts, ' ')}</small>`;
}

const bounds = [
  ['minimum', 'maximum', ''],
  ['minLength', 'maxLength', ' characters'],
  ['minItems', 'maxItems', ' elements'],
] as const;

function range(schema: Schema): string | undefined {
  const limits = bounds.flatMap(([low, high, unit]) => {
    const [from, to] = [schema[low], schema[high]];
    if (from === undefined && to === undefined) return [];
    if (from === undefined) return [`At most ${to}${unit}.`];
    return [to === undefined ? `At least ${from}${unit}.` : `${from} to ${to}${unit}.`];
  });
  return limits.length > 0 ? limits.join(' ') : undefined;
}

function code(value: unknown): Markup {
  return html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`;
}

function joined(items: readonly Insertable[], separator: string): Markup {
  return html`${items.map((item, index) => (index === 0 ? item : [separator, item]))}`;
}

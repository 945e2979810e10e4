import { STATUS_CODES } from 'node:http';
import { curlExample } from './example.ts';
import { fieldRow, fieldTable, typeOf } from './fields.ts';
import { html, type Insertable, type Markup, prose } from './html.ts';
import type { DocumentView, OperationView, Parameter, Schema } from './view.ts';

export const anchorOf = ({ operationId }: OperationView): string => `op-${operationId}`;

export const searchText = (one: OperationView): string =>
  `${one.operationId} ${one.method} ${one.path} ${one.summary} ${one.tags.join(' ')}`.toLowerCase();

export function methodBadge(method: string): Markup {
  return html`<span class="method ${method.toLowerCase()}">${method}</span>`;
}

export function operationSection(operation: OperationView, document: DocumentView): Markup {
  const { operationId, summary, description, method, path } = operation;
  return html`<article id="${anchorOf(operation)}" data-search="${searchText(operation)}">
<div class="words">
<h3><a href="#${anchorOf(operation)}">${prose(summary)}</a></h3>
<p class="address">${methodBadge(method)} <code>${path}</code></p>
<p>${description} ${facts(operation)}</p>
<p><small>Operation <code>${operationId}</code>${versions(operation)}</small></p>
${parameterTable(operation.parameters, 'Parameters')}
${sharedNames(operation)}
${bodyPart(operation)}
${replyPart(operation)}
${codes(operation)}
</div>
<pre tabindex="0" role="region" aria-label="Example for ${operationId}">${curlExample(operation, document)}</pre>
</article>
`;
}

function facts(operation: OperationView): Insertable {
  return [
    operation['x-rate-limited'] === true && 'Rate limited. ',
    operation.deprecated === true && 'Deprecated. ',
    operation['x-extension'] === true && 'An extension of this service. ',
  ];
}

function versions(operation: OperationView): string {
  const dates = operation['x-versions'];
  return dates === undefined ? '' : `, versions ${dates.join(', ')}`;
}

export function parameterTable(parameters: readonly Parameter[], caption: string): Markup {
  if (parameters.length === 0) return html``;
  return html`<table>
<caption>${caption}</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>${parameters.map((one) => fieldRow(one.name, one.schema, one.required === true, one.description))}</tbody>
</table>`;
}

function sharedNames({ sharedParameters }: OperationView): Markup {
  if (sharedParameters.length === 0) return html``;
  return html`<p><small>Accepts the <a href="#parameters">shared parameters</a> ${sharedParameters.map(
    (name, index) => [index > 0 && ', ', html`<code>${name}</code>`],
  )}.</small></p>`;
}

function bodyPart({ requestBody }: OperationView): Markup {
  const schema = requestBody && Object.values(requestBody.content)[0]?.schema;
  return schema ? html`<h4>Body</h4>${schemaPart(schema, 'Fields of the body')}` : html``;
}

function replyPart({ responses }: OperationView): Markup {
  const [status, response] = Object.entries(responses)[0] ?? [];
  if (status === undefined) return html``;
  const schema = Object.values(response?.content ?? {})[0]?.schema;
  const phrase = `${status} ${STATUS_CODES[status] ?? ''}`;
  if (!schema) return html`<h4>Reply</h4><p>${phrase}, without a body.</p>`;
  return html`<h4>Reply</h4><p>${phrase}</p>${schemaPart(schema, 'Fields of the reply')}`;
}

/**
 * Describes the body of a request or response. A page of named entities gets no table, since the fields around the
 * entities are the same in every list.
 */
function schemaPart(schema: Schema, caption: string): Markup {
  const results = schema.properties?.results;
  if (results?.items?.$ref !== undefined) {
    return html`<p>A page: <code>results</code> is an ${typeOf(results)}, beside <code>links</code> and
<code>totalCount</code>.</p>`;
  }
  if (schema.$ref !== undefined || schema.items?.$ref !== undefined) return html`<p>${typeOf(schema)}</p>`;
  return fieldTable(schema.items ?? schema, caption);
}

function codes({ responses }: OperationView): Markup {
  const refusals = Object.keys(responses).filter((status) => Number(status) >= 400);
  return html`<p><small>Errors: ${refusals.map((status, index) => [
    index > 0 && ', ',
    html`<a href="#status-${status}">${status}</a>`,
  ])}</small></p>`;
}

import { STATUS_CODES } from 'node:http';
import type { Dialect } from '../dialect/dialect.ts';
import type { DocumentedFault } from '../documents/fault-rules.ts';
import type { Steps } from '../documents/steps.ts';
import { fieldTable, typeOf } from './fields.ts';
import { html, type Markup, prose } from './html.ts';
import { anchorOf, methodBadge, operationSection, parameterTable, searchText } from './operation.ts';
import type { DocumentView } from './view.ts';

/** `Cloud Backups` → `tag-Cloud-Backups`. */
const tagAnchor = (tag: string): string => `tag-${tag.replace(/[^A-Za-z0-9]+/g, '-')}`;

export function navigation(document: DocumentView): Markup {
  return html`<nav aria-label="Operations">
<label for="search">Search operations</label>
<input id="search" type="search" autocomplete="off" placeholder="name, path, word" aria-describedby="found">
<p id="found" role="status"></p>
<ul>
<li><a href="#start">Start</a></li>
${document.tags.map((tag) => tagLinks(tag, document))}
<li><a href="#schemas">Schemas</a></li>
<li><a href="#errors">Errors</a></li>
</ul>
</nav>
`;
}

function tagLinks(tag: string, { operations }: DocumentView): Markup {
  const own = operations.filter((one) => one.tags.includes(tag));
  return html`<li data-group><a href="#${tagAnchor(tag)}">${tag}</a>
<ul>${own.map(
    (one) => html`<li data-search="${searchText(one)}"><a href="#${anchorOf(one)}">${methodBadge(one.method)}
${prose(one.summary)}</a></li>
`,
  )}</ul></li>
`;
}

export function introduction(
  document: DocumentView,
  editions: readonly string[],
  { documents, legacy }: Dialect['bases'],
): Markup {
  return html`<section id="start">
<h1>${document.title}</h1>
<p>${document.summary}, resource versions of ${document.version}. ${document.description}</p>
<p>OpenAPI 3.1: ${editions.map((name, index) => [
    index > 0 && ', ',
    html`<a href="${documents}/${name}.json">${name}</a>`,
  ])}</p>
<h2>Credentials</h2>
<p>An API key authenticates with HTTP Digest: its public key is the user name, its private key the password. A service
account gets an access token at <code>/api/oauth/token</code> with its client id and secret (HTTP Basic, form field
<code>grant_type=client_credentials</code>) and sends it as a Bearer token. Operations under
<code>/operator/v1</code> require the operator token. The examples read the credentials and the path parameters from
shell variables.</p>
<h2>Versions</h2>
<p>The media type in <code>Accept</code> names a date and selects the newest version of the operation that is not later;
<code>Content-Type</code> names that version. The legacy base path <code>${legacy}</code> needs no date.</p>
<h2 id="parameters">Shared parameters</h2>
${parameterTable(document.sharedParameters, 'Query parameters that many operations share')}
</section>
`;
}

export function* operationSections(document: DocumentView): Steps<readonly Markup[]> {
  const sections: Markup[] = [];
  for (const tag of document.tags) {
    const operations: Markup[] = [];
    for (const one of document.operations.filter(({ tags }) => tags.includes(tag))) {
      operations.push(operationSection(one, document));
      yield;
    }
    sections.push(html`<section id="${tagAnchor(tag)}" data-group>
<h2>${tag}</h2>
${operations}
</section>
`);
  }
  return sections;
}

export function* schemaSection({ schemas }: DocumentView): Steps<Markup> {
  const articles: Markup[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    articles.push(html`<article id="schema-${name}"><div class="words">
<h3>${name}</h3>
<p>${prose(schema.description)}</p>
${fieldTable(schema, `Fields of ${name}`)}
${schema.properties === undefined && html`<p>${typeOf(schema)}</p>`}
</div></article>
`);
    yield;
  }
  return html`<section id="schemas">
<h2>Schemas</h2>
${articles}</section>
`;
}

export function errorSection({ operations }: DocumentView, faults: readonly DocumentedFault[]): Markup {
  const byStatus = Map.groupBy(faults, ({ status }) => status);
  const answered = operations.flatMap(({ responses }) => Object.keys(responses).map(Number));
  const statuses = [...new Set([...byStatus.keys(), ...answered])].filter((status) => status >= 400);
  return html`<section id="errors">
<h2>Errors</h2>
<p>Every error response has an <a href="#schema-Error">Error</a> as its body; its <code>errorCode</code> also comes in the
header <code>X-Error-Code</code>. A status without its own codes has <code>UNEXPECTED_ERROR</code>.</p>
${statuses.sort((a, b) => a - b).map((status) => statusTable(status, byStatus.get(status) ?? []))}
</section>
`;
}

const protocolFailure = {
  code: 'UNEXPECTED_ERROR',
  detail: 'The request fails before it reaches an operation.',
};

function statusTable(status: number, faults: readonly DocumentedFault[]): Markup {
  return html`<table id="status-${status}">
<caption>${status} ${STATUS_CODES[status]}</caption>
<thead><tr><th scope="col">Code</th><th scope="col">Detail</th></tr></thead>
<tbody>${(faults.length > 0 ? faults : [protocolFailure]).map(
    ({
      code,
      detail,
    }) => html`<tr id="error-${status}-${code}"><th scope="row"><code>${code}</code></th><td>${detail}</td></tr>
`,
  )}</tbody>
</table>
`;
}

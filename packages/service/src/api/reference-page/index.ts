import { createHash } from 'node:crypto';
import { type Dialect, neutralDialect } from '../dialect/dialect.ts';
import type { DocumentedFault } from '../documents/fault-rules.ts';
import type { JsonObject } from '../documents/json.ts';
import { type ServedText, servedText } from '../documents/library.ts';
import type { Steps } from '../documents/steps.ts';
import { script, style } from './assets.ts';
import { html, Markup } from './html.ts';
import { errorSection, introduction, navigation, operationSections, schemaSection } from './sections.ts';
import { viewOf } from './view.ts';

export interface ReferencePageInput {
  /** The OpenAPI document to render. */
  readonly document: JsonObject;
  /** Names of all documents: `2025-03-12`, `v1.0`. */
  readonly editions: readonly string[];
  readonly faults: readonly DocumentedFault[];
  /** The dialect of the document; by default the neutral one. */
  readonly dialect?: Dialect | undefined;
}

/** Returns the reference page: one self-contained HTML page. */
export function* pageSteps(input: ReferencePageInput): Steps<ServedText> {
  return servedText(yield* pageText(input), 'text/html; charset=utf-8');
}

/** Content security policy that allows only the inlined style and script. */
export const referencePagePolicy: string = [
  "default-src 'none'",
  `style-src '${sourceHash(style)}'`,
  `script-src '${sourceHash(script)}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function sourceHash(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}

function* pageText(input: ReferencePageInput): Steps<string> {
  const { document, editions, faults, dialect = neutralDialect } = input;
  const view = yield* viewOf(document);
  const operations = yield* operationSections(view);
  const schemas = yield* schemaSection(view);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${view.title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#start">Skip to the content</a>
${navigation(view)}
<main>
${introduction(view, editions, dialect.bases)}
${operations}
${schemas}
${errorSection(view, faults)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`.text;
}

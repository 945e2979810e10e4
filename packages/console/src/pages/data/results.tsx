import { stringifyInOrder } from '@portolan/foundation/ordered-json';
import type { Document } from '../../api/commands.ts';

/** Formats a document, with values such as {"$oid": "…"} on one line. */
export function textOf(document: unknown): string {
  return stringifyInOrder(document, 2).replaceAll(/\{\s*("\$\w+": "[^"\n]*")\s*\}/g, '{ $1 }');
}

export function DocumentText({ document }: { readonly document: Document }) {
  return (
    // Focusable, so that a long document can be scrolled by keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling needs the focus
    <pre className="code" tabIndex={0}>
      {textOf(document)}
    </pre>
  );
}

/** A list of documents that cannot be edited. */
export function Results({
  documents,
  isCut,
}: {
  readonly documents: readonly Document[];
  readonly isCut: boolean;
}) {
  if (documents.length === 0) return <p>No documents.</p>;
  return (
    <>
      {documents.map((document, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: results have no identity
        <DocumentText key={index} document={document} />
      ))}
      {isCut && <p>There are more documents. This page shows only the first ones.</p>}
    </>
  );
}

import { ActionGroup, Button, Card, CardBody, Form, Gallery } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import { type Document, documentsOf, useCommand } from '../../api/commands.ts';
import { documentIn, isSound, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useAddressValues } from '../../parts/use-address.ts';
import type { CollectionProps } from './collection.tsx';
import { DeleteDocument, EditDocument, InsertDocument } from './document-dialogs.tsx';
import { Explanation } from './explanation.tsx';
import { DocumentText } from './results.tsx';

const PAGE = 20;

const everything = { filter: '', projection: '', sort: '', limit: String(PAGE), skip: '0' };
type Query = typeof everything;

function commandOf(collection: string, query: Query): Document {
  const { filter, projection, sort, limit } = query;
  const [where, fields, order] = [filter, projection, sort].map((text) => documentIn(text));
  const skip = skipOf(query);
  return {
    find: collection,
    ...(where && { filter: where }),
    ...(fields && { projection: fields }),
    ...(order && { sort: order }),
    ...(skip > 0 && { skip }),
    limit: Number(limit) || PAGE,
  };
}

/** The number of documents before the displayed ones. */
const skipOf = ({ skip }: Query): number => Math.max(0, Number(skip) || 0);

/** Finds, inserts, edits and deletes documents. */
export function Documents({ place, collection, may }: CollectionProps) {
  const [sent, setSent] = useAddressValues(everything);
  const [turn, setTurn] = useState(0);
  const [isExplained, setExplained] = useState(false);
  const command = commandOf(collection, sent);
  const { data, error, refetch } = useCommand(place, command, turn);
  const send = (query: Query, explain: boolean) => {
    setSent({ ...query, skip: everything.skip }, 'push');
    setExplained(explain);
    setTurn(turn + 1);
  };
  const documents = documentsOf(data) ?? [];
  const limit = Number(sent.limit) || PAGE;
  const skip = skipOf(sent);
  const go = (to: number) => setSent({ skip: String(to) }, 'push');
  const props = { place, collection, may, documents, isRead: data !== undefined, onChanged: refetch };
  return (
    <>
      <QueryForm sent={sent} onSend={send} />
      <Problem error={error} />
      {isExplained && <Explanation place={place} command={command} />}
      <Found {...props} />
      {skip > 0 && (
        <Button variant="secondary" onClick={() => go(Math.max(0, skip - limit))}>
          Previous
        </Button>
      )}{' '}
      {documents.length >= limit && (
        <Button variant="secondary" onClick={() => go(skip + limit)}>
          Next
        </Button>
      )}
    </>
  );
}

interface QueryFormProps {
  /** The query whose results are displayed. */
  readonly sent: Query;
  readonly onSend: (query: Query, explain: boolean) => void;
}

function QueryForm({ sent, onSend }: QueryFormProps) {
  /** The texts that the person has changed since the last query. */
  const [typed, setTyped] = useState<Partial<Query>>({});
  const query = { ...sent, ...typed };
  const set = (change: Partial<Query>) => setTyped({ ...typed, ...change });
  const isReady = [query.filter, query.projection, query.sort].every(isSound);
  const send = (explain: boolean) => {
    onSend(query, explain);
    setTyped({});
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady) send(false);
  };
  return (
    <Form onSubmit={submit} className="gap">
      <JsonField id="filter" label="Filter" value={query.filter} onChange={(filter) => set({ filter })} />
      <Gallery hasGutter minWidths={{ default: '14rem' }}>
        <JsonField
          id="projection"
          label="Projection"
          value={query.projection}
          onChange={(projection) => set({ projection })}
        />
        <JsonField id="sort" label="Sort" value={query.sort} onChange={(sort) => set({ sort })} />
        <TextField id="limit" label="Limit" value={query.limit} onChange={(limit) => set({ limit })} />
      </Gallery>
      <ActionGroup>
        <Button type="submit" isDisabled={!isReady}>
          Find
        </Button>
        <Button variant="secondary" isDisabled={!isReady} onClick={() => send(true)}>
          Explain
        </Button>
      </ActionGroup>
    </Form>
  );
}

interface FoundProps extends CollectionProps {
  readonly documents: readonly Document[];
  readonly isRead: boolean;
  readonly onChanged: () => void;
}

function Found({ place, collection, may, documents, isRead, onChanged }: FoundProps) {
  const [dialog, setDialog] = useState<{
    readonly kind: 'delete' | 'edit' | 'insert';
    readonly of: Document;
  }>();
  const mayWrite = may('GROUP_DATA_ACCESS_READ_WRITE');
  const props = { place, collection, may, onClose: () => setDialog(undefined), onChanged };
  return (
    <>
      {mayWrite && (
        <Button variant="secondary" className="gap" onClick={() => setDialog({ kind: 'insert', of: {} })}>
          Insert document
        </Button>
      )}
      {isRead && documents.length === 0 && (
        <p>No document matches. {mayWrite ? 'Insert one, or change the filter.' : 'Change the filter.'}</p>
      )}
      {documents.map((document, index) => (
        <Card key={JSON.stringify(document._id) ?? index} isCompact className="gap">
          <CardBody>
            <DocumentText document={document} />
            {mayWrite && document._id !== undefined && (
              <>
                <Button variant="link" isInline onClick={() => setDialog({ kind: 'edit', of: document })}>
                  Edit…
                </Button>{' '}
                <Button
                  variant="link"
                  isInline
                  isDanger
                  onClick={() => setDialog({ kind: 'delete', of: document })}
                >
                  Delete…
                </Button>
              </>
            )}
          </CardBody>
        </Card>
      ))}
      {dialog?.kind === 'insert' && <InsertDocument {...props} />}
      {dialog?.kind === 'edit' && <EditDocument {...props} id={dialog.of._id} />}
      {dialog?.kind === 'delete' && <DeleteDocument {...props} id={dialog.of._id} />}
    </>
  );
}

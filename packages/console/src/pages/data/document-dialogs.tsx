import { useState } from 'react';
import { type Document, documentsOf, useCommand, useWrite } from '../../api/commands.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import type { CollectionProps } from './collection.tsx';
import { DocumentText, textOf } from './results.tsx';

interface DialogProps extends CollectionProps {
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

interface ChosenProps extends DialogProps {
  readonly id: unknown;
}

const ROWS = 16;

/** Returns a function that writes. Afterwards, the dialog closes and the documents are loaded again. */
function useDialogWrite({ place, onClose, onChanged }: DialogProps) {
  return useWrite(place, () => {
    onChanged();
    onClose();
  });
}

export function InsertDocument(props: DialogProps) {
  const [text, setText] = useState('{\n  \n}');
  const write = useDialogWrite(props);
  const document = documentIn(text);
  return (
    <FormDialog
      title="Insert document"
      action="Insert"
      isReady={document !== undefined}
      attempt={write}
      onSubmit={() => write.mutate({ insert: props.collection, documents: [document].flat() })}
      onClose={props.onClose}
    >
      <JsonField
        id="document"
        label="Document"
        rows={ROWS}
        value={text}
        onChange={setText}
        help="Extended JSON; several documents in an array"
      />
    </FormDialog>
  );
}

/** Loads the whole document, even if the list shows only some of its fields. */
export function EditDocument(props: ChosenProps) {
  const { place, collection, id } = props;
  const { data, error } = useCommand(place, { find: collection, filter: { _id: { $eq: id } }, limit: 1 });
  const [document] = documentsOf(data) ?? [];
  if (document === undefined) return <Problem error={error} />;
  return <EditWhole {...props} document={document} />;
}

function EditWhole({ document, ...props }: ChosenProps & { readonly document: Document }) {
  const { collection, id } = props;
  const [text, setText] = useState(() => textOf(document));
  const [isGone, setGone] = useState(false);
  const write = useWrite(props.place, ({ reply }) => {
    if (reply.n === 0) return setGone(true);
    props.onChanged();
    props.onClose();
  });
  const changed = documentIn(text);
  const gone = isGone ? new Error('The document has been deleted meanwhile.') : null;
  return (
    <FormDialog
      title="Edit document"
      action="Save"
      isReady={changed !== undefined}
      attempt={{ isPending: write.isPending, error: write.error ?? gone }}
      onSubmit={() =>
        write.mutate({ update: collection, updates: [{ q: { _id: { $eq: id } }, u: changed }] })
      }
      onClose={props.onClose}
    >
      <JsonField id="document" label="Document" rows={ROWS} value={text} onChange={setText} />
    </FormDialog>
  );
}

export function DeleteDocument(props: ChosenProps) {
  const { collection, id } = props;
  const write = useDialogWrite(props);
  return (
    <FormDialog
      title="Delete document"
      action="Delete"
      variant="danger"
      attempt={write}
      onSubmit={() => write.mutate({ delete: collection, deletes: [{ q: { _id: { $eq: id } }, limit: 1 }] })}
      onClose={props.onClose}
    >
      <p>This cannot be undone.</p>
      <DocumentText document={{ _id: id }} />
    </FormDialog>
  );
}

import { Button, Checkbox } from '@patternfly/react-core';
import { stringifyInOrder } from '@portolan/foundation/ordered-json';
import { useState } from 'react';
import { documentsOf, useCommand, useWrite } from '../../api/commands.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { CollectionProps } from './collection.tsx';

interface Index {
  readonly [option: string]: unknown;
  readonly name: string;
  readonly key: object;
}

export function Indexes({ place, collection, may }: CollectionProps) {
  const mayWrite = may('GROUP_DATA_ACCESS_READ_WRITE');
  const { data, error, refetch } = useCommand(place, { listIndexes: collection });
  const [dialog, setDialog] = useState<'create' | Index>();
  const props = { place, collection, may, onChanged: refetch, onClose: () => setDialog(undefined) };
  return (
    <>
      {mayWrite && (
        <Button variant="secondary" className="gap" onClick={() => setDialog('create')}>
          Create index
        </Button>
      )}
      <DataTable<Index>
        label="Indexes"
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Key', cell: ({ key }) => <span className="code">{stringifyInOrder(key)}</span> },
          { title: 'Options', cell: optionsOf },
          {
            title: 'Action',
            cell: (index) =>
              mayWrite &&
              index.name !== '_id_' && (
                <Button
                  variant="link"
                  isInline
                  isDanger
                  aria-label={`Drop ${index.name}`}
                  onClick={() => setDialog(index)}
                >
                  Drop…
                </Button>
              ),
          },
        ]}
        rows={documentsOf(data) as readonly Index[] | undefined}
        keyOf={({ name }) => name}
        error={error}
        empty="The first index is created with the first document of the collection."
      />
      {dialog === 'create' && <CreateIndex {...props} />}
      {dialog !== undefined && dialog !== 'create' && <DropIndex {...props} name={dialog.name} />}
    </>
  );
}

function optionsOf({ name, key, v, ...options }: Index) {
  const given = Object.entries(options).map(([option, value]) => `${option}: ${stringifyInOrder(value)}`);
  return given.join(', ');
}

interface DialogProps extends CollectionProps {
  readonly onChanged: () => void;
  readonly onClose: () => void;
}

function useIndexChange({ place, onChanged, onClose }: DialogProps) {
  return useWrite(place, () => {
    onChanged();
    onClose();
  });
}

function CreateIndex(props: DialogProps) {
  const [text, setText] = useState('');
  const [name, setName] = useState('');
  const [isUnique, setUnique] = useState(false);
  const change = useIndexChange(props);
  const key = documentIn(text);
  const parts = Object.entries(key ?? {}).map(([field, direction]) => `${field}_${String(direction)}`);
  const create = () => {
    const index = { key, name: name || parts.join('_'), ...(isUnique && { unique: true }) };
    change.mutate({ createIndexes: props.collection, indexes: [index] });
  };
  return (
    <FormDialog
      title="Create index"
      action="Create"
      isReady={parts.length > 0}
      attempt={change}
      onSubmit={create}
      onClose={props.onClose}
    >
      <JsonField
        id="key"
        label="Key"
        value={text}
        onChange={setText}
        help='Such as {"name": 1, "built": -1}'
        isRequired
      />
      <TextField
        id="index-name"
        label="Name"
        value={name}
        onChange={setName}
        help="By default, made from the fields"
      />
      <Checkbox
        id="unique"
        label="Unique"
        isChecked={isUnique}
        onChange={(_event, checked) => setUnique(checked)}
      />
    </FormDialog>
  );
}

function DropIndex({ name, ...props }: DialogProps & { readonly name: string }) {
  const change = useIndexChange(props);
  return (
    <FormDialog
      title={`Drop ${name}`}
      action="Drop"
      variant="danger"
      attempt={change}
      onSubmit={() => change.mutate({ dropIndexes: props.collection, index: name })}
      onClose={props.onClose}
    >
      <p>Queries that use the index will read the whole collection instead.</p>
    </FormDialog>
  );
}

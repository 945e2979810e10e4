import { useState } from 'react';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';

interface OpenCollectionProps {
  readonly database?: string;
  readonly onOpen: (database: string, collection: string) => void;
  readonly onClose: () => void;
}

/** Opens a collection, which need not exist: its first document creates it. */
export function OpenCollection({ database: given = '', onOpen, onClose }: OpenCollectionProps) {
  const [database, setDatabase] = useState(given);
  const [collection, setCollection] = useState('');
  return (
    <FormDialog
      title="New collection"
      action="Open"
      isReady={database !== '' && collection !== ''}
      onSubmit={() => onOpen(database, collection)}
      onClose={onClose}
    >
      <p>The collection appears with the first document that you insert.</p>
      <TextField id="database" label="Database" value={database} onChange={setDatabase} isRequired />
      <TextField id="collection" label="Collection" value={collection} onChange={setCollection} isRequired />
    </FormDialog>
  );
}

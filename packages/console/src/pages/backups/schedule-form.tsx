import { Button, Form, FormSelect, FormSelectOption, Gallery, TextInput } from '@patternfly/react-core';
import { Table, Tbody, Td, Th, Thead, Tr } from '@patternfly/react-table';
import { type FormEvent, useState } from 'react';
import { apiRequest } from '../../api/requests.ts';
import { type ClusterPath, useChange } from '../../api/resources.ts';
import { Problem } from '../../parts/problem.tsx';
import { RemoveEntry } from '../../parts/remove-entry.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { Schedule } from './schedule.tsx';

const frequencies = ['hourly', 'daily', 'weekly', 'monthly', 'yearly'];
const units = ['days', 'weeks', 'months', 'years'];

/** A new item is weekly, since a schedule may have several weekly items, but only one hourly and one daily item. */
const added = {
  frequencyType: 'weekly',
  frequencyInterval: 1,
  retentionUnit: 'weeks',
  retentionValue: 4,
};

type Item = Readonly<typeof added> & { readonly id?: string };

interface ScheduleFormProps {
  readonly path: ClusterPath;
  readonly schedule: Schedule;
}

/** The fields of a schedule. A later change of the schedule does not change the values in an open form. */
export function ScheduleForm({ path, schedule }: ScheduleFormProps) {
  const policy = schedule.policies?.[0];
  const [items, setItems] = useState<readonly Item[]>(
    policy?.policyItems?.map((item) => ({ ...added, ...item })) ?? [],
  );
  const [hour, setHour] = useState(String(schedule.referenceHourOfDay ?? 0));
  const [minute, setMinute] = useState(String(schedule.referenceMinuteOfHour ?? 0));
  const [days, setDays] = useState(String(schedule.restoreWindowDays ?? ''));
  const saving = useChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = {
      policies: [{ ...(policy && { id: policy.id }), policyItems: items }],
      referenceHourOfDay: Number(hour),
      referenceMinuteOfHour: Number(minute),
      ...(days !== '' && { restoreWindowDays: Number(days) }),
    };
    saving.mutate(apiRequest('PATCH', `${path}/backup/schedule`, body));
  };
  return (
    <Form onSubmit={submit}>
      <Items items={items} onChange={setItems} />
      <div>
        <Button variant="secondary" onClick={() => setItems([...items, added])}>
          Add item
        </Button>
      </div>
      <Gallery hasGutter>
        <TextField id="hour" label="Hour (UTC)" value={hour} onChange={setHour} />
        <TextField id="minute" label="Minute" value={minute} onChange={setMinute} />
        <TextField id="window" label="Restore window in days" value={days} onChange={setDays} />
      </Gallery>
      <Problem error={saving.error} />
      <div>
        <Button type="submit" isLoading={saving.isPending}>
          Save schedule
        </Button>{' '}
        {saving.isSuccess && <span role="status">Saved.</span>}
      </div>
    </Form>
  );
}

interface ItemsProps {
  readonly items: readonly Item[];
  readonly onChange: (items: readonly Item[]) => void;
}

function Items({ items, onChange }: ItemsProps) {
  const set = (index: number, change: Partial<Item>) =>
    onChange(items.map((item, at) => (at === index ? { ...item, ...change } : item)));
  return (
    <Table aria-label="Items of the schedule" variant="compact" role="table">
      <Thead>
        <Tr>
          {['Frequency', 'Interval', 'Kept for', 'Unit', 'Action'].map((title) => (
            <Th key={title} width={20}>
              {title}
            </Th>
          ))}
        </Tr>
      </Thead>
      <Tbody>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new items have no identity
          <ItemRow key={index} item={item} number={index + 1} onChange={(change) => set(index, change)}>
            <RemoveEntry name={`item ${index + 1}`} onRemove={() => onChange(items.toSpliced(index, 1))} />
          </ItemRow>
        ))}
      </Tbody>
    </Table>
  );
}

interface ItemRowProps {
  readonly item: Item;
  readonly number: number;
  readonly onChange: (change: Partial<Item>) => void;
  readonly children: React.ReactNode;
}

function ItemRow({ item, number, onChange, children }: ItemRowProps) {
  const choice = (field: 'frequencyType' | 'retentionUnit', options: readonly string[]) => (
    <FormSelect
      aria-label={`${field} of item ${number}`}
      value={item[field]}
      onChange={(_event, value) => onChange({ [field]: value })}
    >
      {options.map((option) => (
        <FormSelectOption key={option} value={option} label={option} />
      ))}
    </FormSelect>
  );
  const count = (field: 'frequencyInterval' | 'retentionValue') => (
    <TextInput
      type="number"
      aria-label={`${field} of item ${number}`}
      value={item[field]}
      onChange={(_event, value) => onChange({ [field]: Number(value) })}
    />
  );
  return (
    <Tr>
      <Td dataLabel="Frequency">{choice('frequencyType', frequencies)}</Td>
      <Td dataLabel="Interval">{count('frequencyInterval')}</Td>
      <Td dataLabel="Kept for">{count('retentionValue')}</Td>
      <Td dataLabel="Unit">{choice('retentionUnit', units)}</Td>
      <Td dataLabel="Action">{children}</Td>
    </Tr>
  );
}

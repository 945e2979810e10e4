import { Button, Form } from '@patternfly/react-core';
import { type FormEvent, useState } from 'react';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type GroupPath, useChange, useDocument } from '../../api/resources.ts';
import { Facts } from '../../parts/facts.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { TextField } from '../../parts/text-field.tsx';

type Window = Schemas['MaintenanceWindow'];

/** The days of the week. In the API, their numbers start at 1. */
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** The maintenance window of a project. */
export function Maintenance({ groupId }: { readonly groupId: string }) {
  const path = `/groups/${groupId}/maintenanceWindow` as const;
  const { data, error } = useDocument(path);
  const change = useChange();
  const day = data && days[data.dayOfWeek - 1];
  return (
    <>
      <Problem error={error ?? change.error} />
      {data && (
        <Facts
          facts={[
            [
              'Window',
              day === undefined ? 'none: maintenance starts at any time' : `${day}, ${data.hourOfDay}:00 UTC`,
            ],
            ['Deferrals', data.numberOfDeferrals],
            ['Always deferred by a week', data.autoDeferOnceEnabled ? 'yes' : 'no'],
          ]}
        />
      )}
      {day !== undefined && (
        <div className="gap buttons">
          <Button
            variant="secondary"
            className="beside"
            onClick={() => change.mutate(apiRequest('POST', `${path}/defer`))}
          >
            Defer by a week
          </Button>
          <Button
            variant="secondary"
            className="beside"
            onClick={() => change.mutate(apiRequest('POST', `${path}/autoDefer`))}
          >
            Switch automatic deferral
          </Button>
          <Remove
            name="window"
            action="Remove"
            isSolid
            change={apiRequest('DELETE', path)}
            consequence="Maintenance then starts at any time."
          />
        </div>
      )}
      {data && <WindowForm path={path} window={data} />}
    </>
  );
}

function WindowForm({
  path,
  window,
}: {
  readonly path: `${GroupPath}/maintenanceWindow`;
  readonly window: Window;
}) {
  const [day, setDay] = useState(days[Math.max(0, window.dayOfWeek - 1)] ?? '');
  const [hour, setHour] = useState(String(window.hourOfDay));
  const saving = useChange();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const body = { dayOfWeek: days.indexOf(day) + 1, hourOfDay: Number(hour) };
    saving.mutate(apiRequest('PATCH', path, body));
  };
  return (
    <Form onSubmit={submit} isWidthLimited className="gap">
      <SelectField id="day" label="Day" value={day} options={days} onChange={setDay} />
      <TextField
        id="window-hour"
        label="Hour (UTC)"
        value={hour}
        onChange={setHour}
        error={saving.error}
        field="hourOfDay"
      />
      <Problem error={saving.error} />
      <div>
        <Button type="submit" isLoading={saving.isPending}>
          Save window
        </Button>{' '}
        {saving.isSuccess && <span role="status">Saved.</span>}
      </div>
    </Form>
  );
}

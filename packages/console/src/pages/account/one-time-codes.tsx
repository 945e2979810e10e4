import { Button } from '@patternfly/react-core';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import type { Reply } from '../../api/operations.ts';
import { consoleRequest } from '../../api/requests.ts';
import { useChange } from '../../api/resources.ts';
import { Copied } from '../../parts/copied.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Heading } from '../../parts/heading.tsx';
import { Problem } from '../../parts/problem.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useOwn } from './own.ts';

const PATH = '/one-time-codes';

/** Whether a login needs a code from an app in addition to the password. */
export function OneTimeCodes() {
  const { data, error } = useOwn(PATH);
  const [dialog, setDialog] = useState<'off' | 'on'>();
  const close = () => setDialog(undefined);
  return (
    <>
      <Heading title="One-time codes">
        {data && (
          <Button variant="secondary" onClick={() => setDialog(data.isOn ? 'off' : 'on')}>
            {data.isOn ? 'Turn off' : 'Turn on'}
          </Button>
        )}
      </Heading>
      <Problem error={error} />
      {data && (
        <p>
          {data.isOn
            ? `Each login with a password requires a code from your app. ${data.recoveryCodesLeft} recovery codes are left.`
            : 'Turn them on, so that a stolen password is not enough to log in. You need an authenticator app.'}
        </p>
      )}
      {dialog === 'on' && <TurnOn onClose={close} />}
      {dialog === 'off' && <TurnOff onClose={close} />}
    </>
  );
}

type Enrolment = Reply<'console', 'POST', typeof PATH>;

function TurnOn({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const enrolment = useChange<Enrolment>();
  if (enrolment.data) return <Confirm enrolment={enrolment.data} onClose={onClose} />;
  return (
    <FormDialog
      title="Turn on one-time codes"
      action="Continue"
      isReady={password !== ''}
      attempt={enrolment}
      onSubmit={() => enrolment.mutate(consoleRequest('POST', PATH, { password }))}
      onClose={onClose}
    >
      <TextField
        id="password"
        label="Your password"
        type="password"
        value={password}
        onChange={setPassword}
        isRequired
      />
    </FormDialog>
  );
}

/** The width of the margin around the QR code, in modules (the squares of the code). Scanners need this margin. */
const QR_MARGIN = 4;
const QR_PIXELS = 240;

interface ConfirmProps {
  readonly enrolment: Enrolment;
  readonly onClose: () => void;
}

function Confirm({ enrolment: { secret, url }, onClose }: ConfirmProps) {
  const [code, setCode] = useState('');
  const confirmation = useChange<Reply<'console', 'POST', `${typeof PATH}/confirm`>>();
  if (confirmation.data)
    return (
      <SecretDialog
        title="Recovery codes"
        texts={confirmation.data.recoveryCodes.map((one, index) => [`recovery code ${index + 1}`, one])}
        onClose={onClose}
      />
    );
  return (
    <FormDialog
      title="Scan the code with your app, or enter the secret"
      action="Turn on"
      isReady={code !== ''}
      attempt={confirmation}
      onSubmit={() => confirmation.mutate(consoleRequest('POST', `${PATH}/confirm`, { code }))}
      onClose={onClose}
    >
      <QRCodeSVG value={url} size={QR_PIXELS} marginSize={QR_MARGIN} title="QR code for your app" />
      <Copied label="secret" text={secret} />
      <Copied label="address for apps" text={url} />
      <TextField
        id="code"
        label="Code that the app shows"
        value={code}
        onChange={setCode}
        help="All your other sessions end."
        isRequired
      />
    </FormDialog>
  );
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const change = useChange(onClose);
  const body = { password, code };
  return (
    <FormDialog
      title="Turn off one-time codes"
      action="Turn off"
      variant="danger"
      isReady={password !== '' && code !== ''}
      attempt={change}
      onSubmit={() => change.mutate(consoleRequest('POST', `${PATH}/turn-off`, body))}
      onClose={onClose}
    >
      <TextField
        id="password"
        label="Your password"
        type="password"
        value={password}
        onChange={setPassword}
        isRequired
      />
      <TextField id="code" label="Code or recovery code" value={code} onChange={setCode} isRequired />
    </FormDialog>
  );
}

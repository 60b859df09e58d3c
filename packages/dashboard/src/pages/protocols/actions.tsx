import { useState } from 'preact/hooks'
import type { ActionInput, Protocol, ProtocolAction, ProtocolNetwork, SandboxState } from '../../api/protocols.ts'
import { Field, TextField } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Card } from '../../parts/layout/card.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { Link } from '../../router/link.tsx'
import { beginning, curlLine, missing, type Values } from './curl.ts'

/** Shows what can be crafted: each action with its input, and a line that asks for it. */
export function Actions({
  protocol,
  network,
  sandbox,
}: {
  readonly protocol: Protocol
  readonly network: ProtocolNetwork
  readonly sandbox: SandboxState | undefined
}) {
  return (
    <Card title="Actions" about="what can be crafted">
      <ul class="actions-list">
        {protocol.actions.map((action) => (
          <li key={action.name}>
            <details>
              <summary>
                <span class="mono">{action.name}</span> <span class="muted">{action.summary}</span>
              </summary>
              <Action protocol={protocol} network={network} action={action} sandbox={sandbox} />
            </details>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Action({
  protocol,
  network,
  action,
  sandbox,
}: {
  readonly protocol: Protocol
  readonly network: ProtocolNetwork
  readonly action: ProtocolAction
  readonly sandbox: SandboxState | undefined
}) {
  const [typed, setTyped] = useState<Values>({})
  const values = { ...beginning(protocol, network, action, sandbox), ...typed }
  const empty = missing(action.input, values)
  const line = curlLine({
    address: new URL(`..${action.path}`, document.baseURI).href,
    network: network.network,
    apiKey: sandbox?.api_key ?? null,
    action,
    values,
  })
  return (
    <div class="action">
      <div class="fields">
        {action.input.map((input) => (
          <Input
            key={input.name}
            input={input}
            value={values[input.name] ?? ''}
            onValue={(value) => setTyped({ ...typed, [input.name]: value })}
          />
        ))}
      </div>
      <code class="code">{line}</code>
      <div class="with-action">
        <Copy text={line} label="Copy line" />
        <p class="small muted">
          {empty.length > 0 ? `Fill in ${empty.join(' and ')}. ` : ''}
          {sandbox ? (
            'With the sandbox’s key and a wallet of its own: nothing of it is worth anything.'
          ) : (
            <>
              It takes an API key from the environment: <code>export SVC_API_KEY=…</code>, with the value of one of the{' '}
              <Link to="keys">keys</Link>.
            </>
          )}{' '}
          Nothing is sent to a chain: what comes back is unsigned, and the <Link to="inspector">Inspector</Link> reads it.
        </p>
      </div>
    </div>
  )
}

const FLAGS = [
  { value: '', label: 'Left out' },
  { value: 'true', label: 'true' },
  { value: 'false', label: 'false' },
] as const

function Input({
  input: { name, required, type, description },
  value,
  onValue,
}: {
  readonly input: ActionInput
  readonly value: string
  readonly onValue: (value: string) => void
}) {
  const label = required ? name : `${name}, may be left out`
  if (type === 'boolean') {
    return (
      <Field label={label} hint={description}>
        {(tied) => <Select {...tied} whole value={value} options={FLAGS} onValue={onValue} />}
      </Field>
    )
  }
  return <TextField label={label} hint={description} value={value} onValue={onValue} mono autocomplete="off" spellcheck={false} />
}

import { useRef } from 'preact/hooks'
import { Button } from '../../parts/button.tsx'
import { Field, TextField } from '../../parts/field.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Select } from '../../parts/select.tsx'
import { EXAMPLE } from './example.ts'
import { protocols } from './protocols.ts'
import type { Inspected } from './use-inspection.ts'

/** What is put in: the transaction, the agreed terms, and what was asked for. */
export function Input({ inspected, wantsNumber }: { readonly inspected: Inspected; readonly wantsNumber: boolean }) {
  const { text, setText, request, setRequest, requestFault, accountNumber, setAccountNumber, fault } = inspected
  return (
    <section class="card put-in" aria-label="What is read">
      <header>
        <h2>Transaction</h2>
        <div class="actions">
          <ChooseFile inspected={inspected} label="Choose file" />
        </div>
      </header>
      <div class="body stack">
        <Field label="Bytes, or a whole answer" hint="Nothing leaves this page. A file can be dropped anywhere on it." error={fault}>
          {(tied) => (
            <textarea
              {...tied}
              class="input mono whole-height"
              rows={14}
              spellcheck={false}
              autocomplete="off"
              autocapitalize="off"
              placeholder="0xf867…"
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          )}
        </Field>
        <div class="toolbar">
          {text === '' ? (
            <Button onClick={() => setText(EXAMPLE)}>Show an example</Button>
          ) : (
            <Button onClick={() => setText('')}>Clear</Button>
          )}
        </div>
        {wantsNumber || accountNumber !== '' ? (
          <TextField
            label="Account number"
            hint="Of the Cosmos account, as x-account-number said beside the answer. The hash that is signed covers it, and the bytes do not have it."
            inputMode="numeric"
            autocomplete="off"
            mono
            value={accountNumber}
            onValue={setAccountNumber}
            error={
              accountNumber.trim() === '' || /^\s*(0|[1-9]\d{0,19})\s*$/.test(accountNumber) ? null : 'An account number has digits only.'
            }
          />
        ) : null}
        <AgreedFile inspected={inspected} />
        <details class="asked">
          <summary>What was asked for</summary>
          <Field label="Action">
            {(tied) => <Select {...tied} whole value={inspected.action} options={ACTIONS} onValue={inspected.setAction} />}
          </Field>
          <Field
            label="Body of the request"
            hint="With it, amounts and addresses are compared too: only you know what you wanted."
            error={requestFault}
          >
            {(tied) => (
              <textarea
                {...tied}
                class="input mono"
                rows={4}
                spellcheck={false}
                autocomplete="off"
                placeholder={'{"address": "0x…", "amount": 100}'}
                value={request}
                onInput={(event) => setRequest(event.currentTarget.value)}
              />
            )}
          </Field>
        </details>
      </div>
    </section>
  )
}

/** Every action of every protocol, once. */
const ACTIONS = [
  { value: '', label: 'Not said' },
  ...[...new Set(protocols.flatMap(({ intent }) => Object.keys(intent.actions)))].sort().map((name) => ({ value: name, label: name })),
]

function AgreedFile({ inspected }: { readonly inspected: Inspected }) {
  const { terms, dropTerms } = inspected
  return (
    <div class="field">
      <span class="label">Agreed terms</span>
      <div class="note-box">
        <Icon name={terms ? 'check' : 'ring'} />
        {terms ? (
          <div class="grow">
            <div class="break">
              {terms.name} · {terms.document.account}
            </div>
            <div class="muted small break">{terms.document.baseUrl}. Another file replaces it.</div>
          </div>
        ) : (
          <div class="grow">
            <div>No trust document</div>
            <div class="muted small">Drop the file that your operator gave you; svc trust prints it.</div>
          </div>
        )}
        {terms ? (
          <Button kind="quiet" icon="close" label="Take the trust document away" onClick={dropTerms} />
        ) : (
          <ChooseFile inspected={inspected} label="Choose" />
        )}
      </div>
    </div>
  )
}

function ChooseFile({ inspected, label }: { readonly inspected: Inspected; readonly label: string }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind="quiet" onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        class="hidden-visually"
        tabIndex={-1}
        aria-hidden="true"
        multiple
        onChange={async (event) => {
          const { currentTarget } = event
          await inspected.take(currentTarget.files ?? [])
          currentTarget.value = ''
        }}
      />
    </>
  )
}

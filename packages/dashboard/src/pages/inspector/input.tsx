import type { Reading } from '@svc/verify/inspect'
import { useRef } from 'preact/hooks'
import { Button } from '../../parts/form/button.tsx'
import { Field, TextField } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Icon } from '../../parts/layout/icon.tsx'
import type { KnownProtocol } from '../../realm/inspection.ts'
import type { InspectionState } from './use-inspection.ts'

/** Shows the inputs: the transaction, the agreed terms, and what was asked for. */
export function Input({
  inspected,
  wants,
  wantsAddress,
  protocols,
}: {
  readonly inspected: InspectionState
  /** Facts beside the bytes that would tell the hash, by the names of response headers. */
  readonly wants: Reading['wants']
  readonly wantsAddress: boolean
  readonly protocols: readonly KnownProtocol[]
}) {
  const { text, setText, request, setRequest, requestFault, stated, setStated, address, setAddress, fault } = inspected
  const facts = useKept(wants, text)
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
          <Button disabled={text === ''} onClick={() => setText('')}>
            Clear
          </Button>
        </div>
        {wantsAddress || address !== '' ? (
          <TextField
            label="Your address"
            hint="Taken from your own records, not from where the transaction came from: whoever it names is compared with it."
            autocomplete="off"
            mono
            value={address}
            onValue={setAddress}
          />
        ) : null}
        {Object.entries(facts).map(([name, { label, hint, pattern, wrong }]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            autocomplete="off"
            mono
            value={stated[name] ?? ''}
            onValue={(value) => setStated(name, value)}
            error={isWritten(stated[name] ?? '', pattern) ? null : wrong}
          />
        ))}
        <AgreedFile inspected={inspected} />
        <details class="asked">
          <summary>What was asked for</summary>
          <Field label="Action">
            {(tied) => <Select {...tied} whole value={inspected.action} options={actionsOf(protocols)} onValue={inspected.setAction} />}
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

/** The facts that were asked for last: who has given one may change it, although the hash is told by then. Another text begins anew. */
function useKept(wants: Reading['wants'], text: string): Reading['wants'] {
  const kept = useRef<{ readonly text: string; readonly wants: Reading['wants'] }>({ text, wants })
  if (kept.current.text !== text || Object.keys(wants).length > 0) kept.current = { text, wants }
  return kept.current.wants
}

/** Tells whether a fact is empty, or written as its family has it. */
function isWritten(value: string, pattern: string): boolean {
  return value.trim() === '' || new RegExp(`^(?:${pattern})$`).test(value.trim())
}

/** Every action of every protocol, once. */
function actionsOf(protocols: readonly KnownProtocol[]) {
  const names = [...new Set(protocols.flatMap(({ actions }) => actions))].sort()
  return [{ value: '', label: 'Not said' }, ...names.map((name) => ({ value: name, label: name }))]
}

function AgreedFile({ inspected }: { readonly inspected: InspectionState }) {
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

function ChooseFile({ inspected, label }: { readonly inspected: InspectionState; readonly label: string }) {
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

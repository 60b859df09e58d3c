import type { TransactionStatus } from '@svc/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../../parts/form/button.tsx'
import { Field, TextField } from '../../parts/form/field.tsx'
import { Select } from '../../parts/form/select.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Link } from '../../router/link.tsx'
import { pathTo } from '../../router/path.ts'
import { WORDS } from '../../text/status.ts'
import { Checked } from './check-list.tsx'
import type { Choice } from './choices.ts'
import { programOf } from './code.ts'
import { Position } from './position.tsx'
import { curlOf } from './recorder.ts'
import type { Fault } from './sentences.ts'
import { canCheck, hexOf, realmOf } from './service.ts'
import { Same, Step } from './step.tsx'
import type { Journey, Moves, StepName } from './use-journey.ts'

const ORDER: readonly StepName[] = ['ask', 'check', 'sign', 'send', 'see']

/** The five steps of a stake. */
export function JourneySteps({
  journey,
  moves,
  choices,
  hindered,
  onEpoch,
  turning,
}: {
  readonly journey: Journey
  readonly moves: Moves
  readonly choices: readonly Choice[]
  /** Fault that the chain has instead of answering well; null when none. */
  readonly hindered: string | null
  /** Moves the chain's clock by an epoch. */
  readonly onEpoch: () => void
  readonly turning: boolean
}) {
  const { choice, amount, at, transaction, signed, txHash } = journey
  const next = useRef<HTMLButtonElement>(null)
  const reached = useRef(at)
  useEffect(() => {
    // The button that was pressed is gone: whoever uses a keyboard goes on with the next one.
    if (reached.current !== at) next.current?.focus()
    reached.current = at
  }, [at])
  const stateOf = (step: StepName) => {
    if (step === at) return 'now'
    return ORDER.indexOf(step) < ORDER.indexOf(at) ? 'done' : 'later'
  }
  const name = useIntentName(choice)
  const same = (step: StepName) => (
    <div>
      <Same title="The same in TypeScript" text={name === null ? '' : programOf(step, choice, amount.trim(), name)} />
      <Same title="What was sent, as curl" text={(journey.sent[step] ?? []).map(curlOf).join('\n\n')} />
    </div>
  )
  const fault = (step: StepName) => (at === step && journey.fault ? <StepFault fault={journey.fault} /> : null)
  return (
    <>
      {hindered === null ? null : (
        <Note kind="warn">A fault is switched on for this chain: {hindered.charAt(0).toLowerCase() + hindered.slice(1)}.</Note>
      )}
      <ol class="journey">
        <Step place={1} state={stateOf('ask')} title="Ask for a transaction">
          {at === 'ask' ? (
            <AskForm journey={journey} moves={moves} choices={choices} />
          ) : (
            <p class="muted">
              {amount.trim()} {choice.symbol}, for the demo wallet <Address text={choice.address} />
            </p>
          )}
          {fault('ask')}
          {same('ask')}
        </Step>
        <Step place={2} state={stateOf('check')} title="Check it here, in this browser">
          {transaction ? (
            <Checked transaction={transaction} choice={choice} />
          ) : (
            <p class="muted">
              The bytes are read back by code that shares nothing with the service, and compared with what you asked for on terms agreed
              before.
            </p>
          )}
          {transaction ? same('check') : null}
        </Step>
        <Step place={3} state={stateOf('sign')} title="Sign it where the key is">
          {transaction ? (
            <p class="muted">
              The service never has a key. Here a demo wallet stands in for your custodian, and signs these{' '}
              {transaction.payload.length === 32 ? '32 bytes' : 'bytes'}: <Address text={hexOf(transaction.payload)} what="bytes" />
            </p>
          ) : null}
          {at === 'sign' ? (
            <p>
              <Button kind="primary" buttonRef={next} busy={journey.busy} onClick={() => void moves.sign()}>
                {journey.busy ? 'Signing' : 'Sign with the demo wallet'}
              </Button>
            </p>
          ) : null}
          {signed ? <p class="muted">The signature was read back: the right key, over these bytes.</p> : null}
          {fault('sign')}
          {transaction ? same('sign') : null}
        </Step>
        <Step place={4} state={stateOf('send')} title="Broadcast it">
          {signed ? (
            <p class="muted">
              The service assembles the signed transaction, this page compares it with what it writes itself, and it is sent, once. Its hash
              is known before: <Address text={signed.txHash} what="transaction hash" />
            </p>
          ) : null}
          {at === 'send' ? (
            <p>
              <Button kind="primary" buttonRef={next} busy={journey.busy} onClick={() => void moves.send()}>
                {journey.busy ? 'Sending' : 'Prepare and broadcast'}
              </Button>
            </p>
          ) : null}
          {fault('send')}
          {signed ? same('send') : null}
        </Step>
        <Step place={5} state={at === 'see' ? 'now' : 'later'} title="See the position">
          {txHash !== null ? (
            <>
              {journey.status ? <Landed status={journey.status} /> : null}
              <Position journey={journey} />
              <p class="toolbar">
                <Button kind="primary" buttonRef={next} busy={turning || journey.busy} onClick={onEpoch}>
                  One epoch on
                </Button>
                <Button onClick={() => void moves.look()} busy={journey.busy}>
                  Read it again
                </Button>
                <Button kind="quiet" onClick={moves.again}>
                  Stake again
                </Button>
                {journey.status ? <Link to={pathTo(['transactions', txHash])}>See its timeline</Link> : null}
                <Link to={`activity?q=${encodeURIComponent(txHash)}`}>See it in Activity</Link>
              </p>
              {fault('see')}
              {same('see')}
            </>
          ) : null}
        </Step>
      </ol>
    </>
  )
}

/** Name under which a program imports the intent of what was chosen; null until it is here. */
function useIntentName(choice: Choice): string | null {
  const [name, setName] = useState<string | null>(null)
  useEffect(() => {
    let isLatest = true
    setName(null)
    realmOf(choice).then(
      ({ protocols }) => {
        if (isLatest) setName(protocols.find(({ path }) => choice.protocolPath === `/api/v1${path}`)?.name ?? null)
      },
      // The step that needs it says so.
      () => {},
    )
    return () => {
      isLatest = false
    }
  }, [choice.id])
  return name
}

function AskForm({
  journey: { choice, amount, wrong, busy },
  moves,
  choices,
}: {
  readonly journey: Journey
  readonly moves: Moves
  readonly choices: readonly Choice[]
}) {
  return (
    <form
      class="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy && canCheck) void moves.ask()
      }}
    >
      <div class="ask">
        <Field label="Protocol">
          {(tied) => (
            <Select
              {...tied}
              whole
              value={choice.id}
              options={choices.map(({ id, title }) => ({ value: id, label: title }))}
              onValue={(id) => {
                const chosen = choices.find((each) => each.id === id)
                if (chosen) moves.choose(chosen)
              }}
            />
          )}
        </Field>
        <TextField
          label={`Amount in ${choice.symbol}`}
          mono
          inputMode="decimal"
          autocomplete="off"
          value={amount}
          error={wrong}
          hint={choice.least === null ? undefined : `at least ${choice.least} ${choice.symbol}`}
          onValue={moves.setAmount}
        />
      </div>
      <p class="muted">
        From the demo wallet <Address text={choice.address} />, which has a million {choice.symbol} of play money.
      </p>
      {canCheck ? null : (
        <Note kind="warn">
          Under this address the browser gives a page no cryptography, so that nothing could be checked. Open this page under{' '}
          <code>http://127.0.0.1:{location.port}</code> on the machine where the sandbox runs.
        </Note>
      )}
      <p>
        <Button kind="primary" type="submit" busy={busy} disabled={!canCheck}>
          {busy ? 'Asking' : 'Ask for a transaction'}
        </Button>
      </p>
    </form>
  )
}

function Landed({ status: { status, certainty, block } }: { readonly status: TransactionStatus }) {
  return (
    <p class="muted">
      The transaction is <strong>{WORDS[status].toLowerCase()}</strong>, {certainty}
      {block?.height ? `, in block ${block.height}` : ''}: the service looked at the chain for you.
    </p>
  )
}

function StepFault({ fault: { sentence, code } }: { readonly fault: Fault }) {
  return (
    <Note kind="bad" alert>
      {sentence} {code === null ? null : <code>{code}</code>}
    </Note>
  )
}

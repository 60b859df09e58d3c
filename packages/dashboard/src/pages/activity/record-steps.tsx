import type { AuditRecord, AuditStep } from '../../api/audit.ts'
import { Icon } from '../../parts/layout/icon.tsx'
import { Address } from '../../parts/value/address.tsx'
import { Tag } from '../../parts/value/state.tsx'
import { Time } from '../../parts/value/time.tsx'
import { Fate } from './record-fate.tsx'
import { durationText, whoOf } from './words.ts'

const NAMES: Readonly<Record<AuditStep['step'], string>> = { craft: 'Craft', prepare: 'Prepare', broadcast: 'Broadcast' }

/** The requests of a transaction, oldest first: when, how long, how it ended, and by whom. */
export function StepsOf({
  steps,
  records,
  current,
  loading,
}: {
  readonly steps: readonly AuditStep[]
  /** The same requests in full, where they were read. */
  readonly records: readonly AuditRecord[]
  /** Request id of the record that is looked at. */
  readonly current: string
  readonly loading: boolean
}) {
  const full = new Map(records.map((record) => [record.id, record]))
  const [record] = records
  // What was refused may have landed all the same, as where an endpoint did not answer.
  const sent = steps.some(({ step }) => step === 'broadcast')
  return (
    <section aria-busy={loading}>
      <h3>Steps</h3>
      <ol class="journey compact">
        {steps.map((step) => (
          <li
            key={step.id}
            class={step.outcome === 'ok' ? 'done' : step.outcome === 'open' ? '' : 'bad'}
            aria-current={step.request_id === current ? 'step' : undefined}
          >
            <span class="mark">
              <Icon name={step.outcome === 'ok' ? 'check' : step.outcome === 'open' ? 'ring' : 'warn'} />
            </span>
            <div>
              <p class="step-head">
                <strong>{NAMES[step.step]}</strong>
                <Ending step={step} />
              </p>
              <p class="muted small">
                <Time at={step.time} form="both" />
                <Details record={full.get(step.id)} />
              </p>
              <p class="small muted">
                <Address text={step.request_id} what="request id" whole />
              </p>
            </div>
          </li>
        ))}
        {sent && record ? <Fate of={record} /> : null}
      </ol>
    </section>
  )
}

function Ending({ step: { outcome, error, status } }: { readonly step: AuditStep }) {
  if (outcome === 'ok') return null
  return (
    <Tag kind={outcome === 'open' ? 'warn' : 'bad'}>{outcome === 'open' ? 'No answer kept' : (error?.code ?? `Answered ${status}`)}</Tag>
  )
}

function Details({ record }: { readonly record: AuditRecord | undefined }) {
  if (!record) return null
  return (
    <>
      {record.outcome === 'open' ? '' : `, ${durationText(record.duration_ms)}`}, {whoOf(record)}
    </>
  )
}

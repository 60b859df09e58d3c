import type { Agreement, Finding, Inspection, Reading } from '@svc/verify/inspect'
import { Fragment } from 'preact'
import { Note } from '../../parts/notice/note.tsx'
import { State, Tag } from '../../parts/value/state.tsx'
import type { KnownProtocol } from '../../realm/inspection.ts'
import { AgreedTerms, Difference } from './agreed-terms.tsx'
import { Lines } from './lines.tsx'
import { callLines, count, factLines, listed, origin, sorted } from './words.ts'

/** Shows the result of the inputs. */
export function Result({
  inspection,
  protocols,
  hasTerms,
  isAsked,
}: {
  readonly inspection: Inspection
  /** Protocols whose intents are here; null while they are being loaded. */
  readonly protocols: readonly KnownProtocol[] | null
  readonly hasTerms: boolean
  readonly isAsked: boolean
}) {
  if (inspection.kind === 'unreadable') return <Unreadable inspection={inspection} />
  if (inspection.kind !== 'read') return <Nothing protocols={protocols} />
  return (
    <>
      {inspection.readings.length > 1 ? (
        <Note kind="warn">
          These bytes can be read as transactions of {inspection.readings.map(({ title }) => title).join(' and of ')}. Each is shown; which
          it is, only the chain that it is sent to decides.
        </Note>
      ) : null}
      {inspection.readings.map((reading) => (
        <ReadingOf key={reading.family} reading={reading} hasTerms={hasTerms} isAsked={isAsked} />
      ))}
    </>
  )
}

function Nothing({ protocols }: { readonly protocols: readonly KnownProtocol[] | null }) {
  const families = [...new Set(protocols?.map(({ family }) => family))]
  return (
    <section class="card">
      <div class="empty">
        <h2>Nothing to read yet</h2>
        <p>
          {protocols?.length === 0
            ? 'No installed plugin brings an intent, so that there is nothing here to read a transaction by: the manifest of a plugin names it by svc.intent.'
            : `Any transaction of ${families.length === 0 ? 'the protocols of this service' : listed(families)}, unsigned or signed: its bytes in hex or base64, a whole answer of the service, the body of a prepare request, or what curl -i printed.`}
        </p>
      </div>
    </section>
  )
}

function Unreadable({ inspection: { why, tried } }: { readonly inspection: Extract<Inspection, { kind: 'unreadable' }> }) {
  return (
    <section class="card">
      <div class="body stack">
        <Note kind="bad">
          <strong>This cannot be read.</strong> {why}
        </Note>
        {tried.length > 0 ? (
          <>
            <h2>What was tried</h2>
            <dl class="kv">
              {tried.map(({ title, why: reason }) => (
                <Fragment key={title}>
                  <dt>{title}</dt>
                  <dd>{reason}</dd>
                </Fragment>
              ))}
            </dl>
          </>
        ) : null}
      </div>
    </section>
  )
}

function ReadingOf({ reading, hasTerms, isAsked }: { readonly reading: Reading; readonly hasTerms: boolean; readonly isAsked: boolean }) {
  const { agreements, unusual, sentence, calls, notes, protocol, also, unmatched } = reading
  const [agreement] = agreements
  const { asks, strange } = sorted(reading)
  const isPlain = !agreement || agreement.differ.length === 0
  return (
    <article class="stack">
      <section class="card">
        <div class="body stack">
          <span class="muted">{origin(reading)}</span>
          <p class={sentence.length > LONG ? 'sentence long' : 'sentence'}>{sentence}</p>
          <div class="toolbar">
            {protocol ? (
              <Tag>
                {protocol.title}: {protocol.action}
              </Tag>
            ) : (
              <Tag kind="bad">of no protocol here</Tag>
            )}
            {strange.length > 0 ? <Tag kind="bad">{count(strange.length, 'unusual thing')}</Tag> : null}
            {asks.length > 0 ? (
              <Tag kind="warn">{count(asks.length, 'question')} to you</Tag>
            ) : strange.length === 0 && isPlain ? (
              <State kind="ok">Nothing unusual</State>
            ) : null}
            {agreement ? <AgreementTags agreement={agreement} isOpen={asks.length > 0} /> : null}
          </div>
        </div>
      </section>
      {also.length > 0 ? (
        <Note kind="warn">It could just as well be of: {also.join(', ')}. The trust document of your service says which it is.</Note>
      ) : null}
      {agreement?.differ.map((each) => (
        <Difference
          key={`${each.title} ${each.found}`}
          difference={each}
          title={each.term === null ? each.title : `${each.title}: not the agreed one`}
          {...(each.term === null ? { labels: [isAsked ? 'Asked for' : 'As a rule', 'In the transaction'] as const } : {})}
        />
      ))}
      {unusual.map((finding) => (
        <FindingOf key={`${finding.title} ${finding.why}`} finding={finding} isAsked={isAsked} />
      ))}
      {hasTerms ? <Unmatched reasons={unmatched} /> : <NoTerms />}
      <section class="card">
        <header>
          <h2>What moves</h2>
        </header>
        <div class="body">
          <Lines lines={factLines(reading)} />
        </div>
      </section>
      <section class="card">
        <header>
          <h2>Calls</h2>
          <span class="muted num">{calls.length}</span>
        </header>
        {calls.map((call, i) => (
          // Calls have an order and nothing else to tell them apart by.
          <div class="body call" key={i}>
            {calls.length > 1 ? <h3>Call {i + 1}</h3> : null}
            <Lines lines={callLines(call, reading)} />
          </div>
        ))}
      </section>
      {reading.assumed.length > 0 ? <Assumed assumed={reading.assumed} /> : null}
      {agreements.length > 0 ? <AgreedTerms agreements={agreements} /> : null}
      {notes.length > 0 ? (
        <Note>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Note>
      ) : null}
    </article>
  )
}

/** Characters from which on a sentence is set in the size of text. */
const LONG = 320

/** @param isOpen whether the reader has still to say who is meant: until then nothing is called good */
function AgreementTags({ agreement: { agree, differ }, isOpen }: { readonly agreement: Agreement; readonly isOpen: boolean }) {
  return (
    <>
      {agree.length > 0 ? (
        <Tag kind={isOpen ? 'plain' : 'ok'}>
          {count(agree.length, 'term')} {agree.length === 1 ? 'agrees' : 'agree'}
        </Tag>
      ) : null}
      {differ.length > 0 ? (
        <Tag kind="bad">
          {differ.length} {differ.length === 1 ? 'differs' : 'differ'}
        </Tag>
      ) : null}
    </>
  )
}

function FindingOf({ finding: { level, title, why, difference }, isAsked }: { readonly finding: Finding; readonly isAsked: boolean }) {
  if (difference)
    return (
      <Difference difference={difference} title={title} why={why} labels={[isAsked ? 'Asked for' : 'As a rule', 'In the transaction']} />
    )
  return (
    <Note kind={level === 'bad' ? 'bad' : 'warn'}>
      <strong class="break">{title.endsWith('?') ? title : `${title}.`}</strong> {why}
    </Note>
  )
}

/** Shows what only a node knows. */
function Assumed({ assumed }: { readonly assumed: Reading['assumed'] }) {
  return (
    <section class="card">
      <header>
        <h2>On the service’s word</h2>
      </header>
      <div class="body">
        <dl class="kv">
          {assumed.map(({ fact, value, bound, cost }) => (
            <Fragment key={fact}>
              <dt class="break">{fact}</dt>
              <dd>
                <code class="break">{value}</code>{' '}
                <span class="muted">
                  {bound}
                  {cost === undefined ? null : `. At worst it costs ${cost}`}
                </span>
              </dd>
            </Fragment>
          ))}
        </dl>
      </div>
    </section>
  )
}

function NoTerms() {
  return (
    <Note>
      Compared with nothing that was agreed: whose contract or validator it is, only the trust document of your service says. Drop it here
      to have every term compared.
    </Note>
  )
}

function Unmatched({ reasons }: { readonly reasons: readonly string[] }) {
  if (reasons.length === 0) return null
  return (
    <Note kind="bad">
      <strong>The agreed terms are not of this transaction.</strong>
      <ul>
        {reasons.map((reason) => (
          <li key={reason} class="break">
            {reason}
          </li>
        ))}
      </ul>
    </Note>
  )
}

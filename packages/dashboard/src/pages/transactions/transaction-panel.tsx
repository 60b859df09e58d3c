import type { FollowedTransaction } from '../../api/transactions.ts'
import { Panel } from '../../parts/dialog/panel.tsx'
import { ErrorState } from '../../parts/notice/error-state.tsx'
import { StaleNote } from '../../parts/notice/failure-note.tsx'
import { Loading } from '../../parts/notice/loading.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Copy } from '../../parts/value/copy-button.tsx'
import { StatusWord } from '../../parts/value/status-word.tsx'
import { account } from '../../state/account.ts'
import { useTransaction } from '../../state/use-transaction.ts'
import { partsOf } from '../../text/sentence.ts'
import type { Place } from './place.ts'
import { NamesOf, OutcomeOf } from './transaction-facts.tsx'
import { MovesOf } from './transaction-moves.tsx'
import { TimelineOf } from './transaction-timeline.tsx'
import { meaningOf } from './words.ts'

/** One transaction beside the list, from its craft to where it stays. */
export function TransactionPanel({
  place,
  known: row,
  onClose,
  onMove,
}: {
  readonly place: Place
  /** From the list, where it is there. */
  readonly known: FollowedTransaction | undefined
  readonly onClose: () => void
  readonly onMove: (step: 1 | -1) => void
}) {
  return (
    <Panel title="Transaction" actions={<Copy text={location.href} label="Copy link" bare />} onClose={onClose} onMove={onMove}>
      <Content key={`${place.hash} ${place.protocol} ${place.account}`} place={place} known={row} />
    </Panel>
  )
}

function Content({
  place: { hash, protocol, account: of },
  known: initial,
}: {
  readonly place: Place
  readonly known: FollowedTransaction | undefined
}) {
  const whose = of ?? account.value
  const { value: detail, failure, reload } = useTransaction({ hash, protocol, account: whose })
  const row = detail ?? initial
  if (!row) return failure ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={6} />
  return (
    <>
      <section>
        <Summary row={row} />
        {failure && detail ? (
          <StaleNote failure={failure} onRetry={reload} {...(detail.checked_at ? { of: detail.checked_at } : {})} />
        ) : null}
      </section>
      {detail ? <TimelineOf detail={detail} /> : failure ? <ErrorState failure={failure} onRetry={reload} /> : <Loading lines={4} />}
      <MovesOf row={row} />
      <OutcomeOf row={row} />
      <NamesOf row={row} />
    </>
  )
}

function Summary({ row }: { readonly row: FollowedTransaction }) {
  const { sentence, differences, error } = row
  return (
    <>
      <p class="sentence">{sentence === null ? 'A transaction of which only the hash is known' : partsOf(sentence).deed}</p>
      <div role="status">
        <StatusWord of={row} />
      </div>
      {differences?.length ? (
        <Note kind="bad" alert>
          The chain moved something else than the bytes promised when it was crafted. Find out why before anything is booked or crafted on
          the strength of it: what differs stands below.
        </Note>
      ) : null}
      <p class="muted">{meaningOf(row)}</p>
      {error === null ? null : (
        <Note kind="bad">
          <p class="break">{error.reason}</p>
          <p>
            <code>{error.code}</code>
          </p>
        </Note>
      )}
    </>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Delivery, readDeliveries, testWebhook, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../parts/form/button.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { Time } from '../../parts/value/time.tsx'
import { useAction } from '../../state/action.ts'
import { api } from '../../state/session.ts'
import { outcomeOf, withAttempt } from './words.ts'

/** Interval of the looks for the answer, in milliseconds, and their number until the reader may send another: an attempt takes 15 s at most, as docs/webhooks.md says. */
const LOOK_MS = 1000
const MOST_LOOKS = 20
/** Interval of the looks while the next attempt is far, in milliseconds. */
const LATER_MS = 15_000
/** Deliveries among which a ping is looked for. */
const AMONG = 20

/** Sends a ping, and says how each attempt of it was received, for as long as the webhook is looked at. */
export function TestPing({ webhook: { ulid, status }, onSent }: { readonly webhook: Webhook; readonly onSent: () => void }) {
  const { busy, failure, run } = useAction()
  const [attempts, setAttempts] = useState<readonly Delivery[]>([])
  const [slow, setSlow] = useState(false)
  // Another ping, or another page: what was followed is followed no more.
  const round = useRef(0)
  useEffect(
    () => () => {
      round.current = -1
    },
    [],
  )
  const send = () =>
    run(async () => {
      round.current += 1
      const mine = round.current
      const isMine = () => round.current === mine
      setAttempts([])
      setSlow(false)
      const event = await testWebhook(api, ulid)
      let earlier: readonly Delivery[] = []
      const look = async () => {
        const { deliveries } = await readDeliveries(api, ulid, { limit: AMONG })
        const sent = deliveries.find((each) => each.event === event)
        const next = sent === undefined ? earlier : withAttempt(earlier, sent)
        if (isMine() && next !== earlier) {
          earlier = next
          setAttempts(next)
          onSent()
        }
        return sent && { delivery: sent, running: sent.attempts > (earlier.at(-1)?.attempts ?? 0) }
      }
      for (let looks = 0; looks < MOST_LOOKS && isMine() && earlier.length === 0; looks += 1) {
        await pause(LOOK_MS)
        await look()
      }
      if (earlier.length === 0) setSlow(true)
      void follow(look, isMine)
    })
  return (
    <section>
      <div class="part-head">
        <h3>Try it</h3>
        <Button busy={busy} disabled={status === 'disabled'} onClick={() => void send()}>
          {busy ? 'Waiting for its answer' : 'Send a ping'}
        </Button>
      </div>
      <div role="status">
        {slow && attempts.length === 0 ? <Note kind="warn">No attempt has ended yet: it is shown here when one does.</Note> : null}
        {attempts.map((each) => (
          <Attempt key={each.last_at} of={each} />
        ))}
      </div>
      {failure ? <FailureNote failure={failure} /> : null}
    </section>
  )
}

/** Looks on until the ping arrived or was given up. What cannot be read is read at the next look. */
async function follow(look: () => Promise<Looked | undefined>, isMine: () => boolean): Promise<void> {
  let ended = false
  while (!ended && isMine()) {
    const sighting = await look().catch(() => undefined)
    ended = sighting !== undefined && sighting.delivery.state !== 'pending'
    if (!ended) await pause(sighting === undefined ? LATER_MS : untilNextLook(sighting))
  }
}

/** A delivery as it was read, and whether an attempt of it has begun that has not ended. */
interface Looked {
  readonly delivery: Delivery
  readonly running: boolean
}

/** While an attempt runs, the service already tells when the one after it would be. */
function untilNextLook({ delivery: { next_at }, running }: Looked): number {
  if (running || next_at === null) return LOOK_MS
  return Math.min(LATER_MS, Math.max(LOOK_MS, Date.parse(next_at) - Date.now()))
}

function pause(ms: number): Promise<void> {
  return new Promise((done) => window.setTimeout(done, ms))
}

function Attempt({ of }: { readonly of: Delivery }) {
  const arrived = of.error === null
  return (
    <Note kind={arrived ? 'ok' : 'bad'}>
      <p class="break">
        {of.last_at === null ? null : <Time at={of.last_at} form="time" />} {arrived ? 'It arrived. ' : 'It did not arrive. '}
        {outcomeOf(of)}.
        {of.state === 'pending' && of.next_at !== null ? (
          <>
            {' '}
            It is tried again at <Time at={of.next_at} form="time" />.
          </>
        ) : null}
      </p>
      {of.answer ? <code class="break">{of.answer}</code> : null}
    </Note>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { type Delivery, readDeliveries, testWebhook, type Webhook } from '../../api/webhooks.ts'
import { Button } from '../../parts/button.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { Note } from '../../parts/note.tsx'
import { useAction } from '../../state/action.ts'
import { api } from '../../state/session.ts'
import { outcomeOf } from './words.ts'

/** How often it is looked for the answer, in milliseconds; and how often at most: an attempt takes 15 s at the most, as docs/webhooks.md says. */
const LOOK_MS = 1000
const MOST_LOOKS = 20
/** Deliveries among which a ping is looked for. */
const AMONG = 20

/** Sends a ping, and says how it was received. */
export function TestPing({ webhook: { ulid, status }, onSent }: { readonly webhook: Webhook; readonly onSent: () => void }) {
  const { busy, failure, run } = useAction()
  const [found, setFound] = useState<Delivery | 'none' | null>(null)
  const shown = useRef(true)
  useEffect(
    () => () => {
      shown.current = false
    },
    [],
  )
  const send = () =>
    run(async () => {
      setFound(null)
      const event = await testWebhook(api, ulid)
      for (let look = 0; look < MOST_LOOKS && shown.current; look += 1) {
        await new Promise((done) => window.setTimeout(done, LOOK_MS))
        const { deliveries } = await readDeliveries(api, ulid, { limit: AMONG })
        const sent = deliveries.find((each) => each.event === event)
        if (sent && sent.last_at !== null) {
          setFound(sent)
          onSent()
          return
        }
      }
      setFound('none')
    })
  return (
    <section>
      <div class="part-head">
        <h3>Try it</h3>
        <Button busy={busy} disabled={status === 'disabled'} onClick={() => void send()}>
          {busy ? 'Waiting for its answer' : 'Send a ping'}
        </Button>
      </div>
      <div role="status">{found === null ? null : <Outcome found={found} />}</div>
      {failure ? <FailureNote failure={failure} /> : null}
    </section>
  )
}

function Outcome({ found }: { readonly found: Delivery | 'none' }) {
  if (found === 'none') return <Note kind="warn">No attempt has ended yet: look at it among what was sent.</Note>
  const arrived = found.error === null
  return (
    <Note kind={arrived ? 'ok' : 'bad'}>
      <p class="break">
        {arrived ? 'It arrived. ' : 'It did not arrive. '}
        {outcomeOf(found)}.
      </p>
      {found.answer ? <code class="break">{found.answer}</code> : null}
    </Note>
  )
}

import { useState } from 'preact/hooks'
import type { Sandbox } from '../../api/sandbox.ts'
import { Button } from '../../parts/form/button.tsx'
import { FailureNote } from '../../parts/notice/failure-note.tsx'
import { Note } from '../../parts/notice/note.tsx'
import { useAction } from '../../state/action.ts'
import { api } from '../../state/session.ts'
import { count } from '../../text/amount.ts'
import type { Choice } from './choices.ts'
import { baseUrl } from './service.ts'

/** Operation of a local chain that gives the stake of a wallet to somebody else. */
export const STEAL = 'steal'

/** Answer of that operation. */
interface Stolen {
  readonly accounts: readonly string[]
  readonly withdrawer: string
}

/** Pause between two questions whether the service has looked, in milliseconds, and most of them: a look takes a second or two. Choices of this project. */
const PAUSE_MS = 500
const MOST_QUESTIONS = 60

/** Plays the theft of stake with a stolen key: on the chain, where no check of this page can refuse it. What tells of it is the alarm above the page. */
export function Theft({ choice, sandbox, onChain }: { readonly choice: Choice; readonly sandbox: Sandbox; readonly onChain: () => void }) {
  const { busy, failure, run } = useAction()
  const [ending, setEnding] = useState<Stolen | 'unseen' | null>(null)
  const operate = <T,>(operation: string, body: object) =>
    api.call<T>(`sandbox/chains/${choice.chain.replace(':', '/')}/${operation}`, { method: 'POST', body })
  const play = async () => {
    setEnding(null)
    // A sandbox looks at positions when its clock moves; a service by itself, once a day at the latest. What it has never seen it cannot miss.
    const last = await lastLook(choice, sandbox)
    if (last !== undefined) {
      await operate('advance', { seconds: 60 })
      if (!(await hasLooked(choice, sandbox, last))) return setEnding('unseen')
    }
    const loot = await operate<Stolen>(STEAL, { wallet: choice.address })
    await operate('advance', { seconds: 60 })
    setEnding(loot)
    onChain()
  }
  return (
    <section class="card">
      <header>
        <h2>… and if the key is stolen?</h2>
      </header>
      <div class="body stack">
        <p>
          In September 2025 somebody with a customer’s key made himself the withdrawer of the customer’s stake accounts, and waited. No
          transaction went through a service, so no check could refuse it. Play it on your own stake here, once it is active: the alarm
          comes above this page.
        </p>
        <div class="toolbar">
          <Button kind="danger" busy={busy} onClick={() => void run(play)}>
            Steal my stake
          </Button>
        </div>
        {failure ? <FailureNote failure={failure} /> : null}
        {ending === 'unseen' ? (
          <Note kind="warn" alert>
            The service has not looked at your stake yet, so nothing was stolen. Play it again in a moment.
          </Note>
        ) : ending === null ? null : (
          <Note kind="warn">
            <span role="status" class="break">
              {count(ending.accounts.length)} {ending.accounts.length === 1 ? 'stake account has' : 'stake accounts have'} another
              withdrawer now, {ending.withdrawer}. The service was asked for nothing; it finds it by itself.
            </span>
          </Note>
        )}
      </div>
    </section>
  )
}

/** Returns when the service has looked at the position last; null: it never has; undefined: it does not watch it. */
async function lastLook({ protocol, address }: Choice, { api_key: key }: Sandbox): Promise<string | null | undefined> {
  const response = await fetch(`${baseUrl}/api/v1/watch`, { headers: { 'x-api-key': key } })
  if (!response.ok) throw new Error(`the service answered ${response.status} when it was asked what it watches`)
  const { watches } = (await response.json()) as { readonly watches: readonly Watched[] }
  return watches.find((each) => each.protocol === protocol && each.address === address)?.read_at
}

/** A watched wallet, as far as it is looked at here. */
interface Watched {
  readonly protocol: string
  readonly address: string
  readonly read_at: string | null
}

/** Waits until the service has looked again. @returns whether it has */
async function hasLooked(choice: Choice, sandbox: Sandbox, last: string | null): Promise<boolean> {
  for (let question = 0; question < MOST_QUESTIONS; question++) {
    if ((await lastLook(choice, sandbox)) !== last) return true
    await new Promise((resolve) => window.setTimeout(resolve, PAUSE_MS))
  }
  return false
}

import type { Balance, SignedTransaction, VerifiedTransaction } from '@svc/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Sandbox } from '../../api/sandbox.ts'
import { type Choice, suggested, wrongAmount } from './choices.ts'
import { recording, type Sent } from './recorder.ts'
import { type Fault, faultOf } from './sentences.ts'
import { type Bound, baseUrl, clientFor, hexOf, inputOf, signWith } from './service.ts'

/** The steps, in their order; `check` is done by the answer to `ask`. */
export type StepName = 'ask' | 'check' | 'sign' | 'send' | 'see'

/** How far a stake is. */
export interface Journey {
  readonly choice: Choice
  readonly amount: string
  readonly wrong: string | null
  /** The step that is to be done next. */
  readonly at: StepName
  readonly busy: boolean
  readonly fault: Fault | null
  readonly transaction: VerifiedTransaction | null
  readonly signed: SignedTransaction | null
  readonly txHash: string | null
  /** Before the stake, and as read last. */
  readonly before: Balance | null
  readonly now: Balance | null
  /** What each step sent. */
  readonly sent: Readonly<Partial<Record<StepName, readonly Sent[]>>>
}

/** What can be done with it. */
export interface Moves {
  choose(choice: Choice): void
  setAmount(text: string): void
  ask(): Promise<void>
  sign(): Promise<void>
  send(): Promise<void>
  /** Reads the position anew. */
  look(): Promise<void>
  again(): void
}

/** A stake from the question to the position. `onChain` is called when a chain may have moved. */
export function useJourney(first: Choice, sandbox: Sandbox, onChain: () => void): readonly [Journey, Moves] {
  const [journey, setJourney] = useState(() => begun(first))
  const latest = useRef(journey)
  latest.current = journey
  const shown = useRef(true)
  useEffect(
    () => () => {
      shown.current = false
    },
    [],
  )
  // What another stake was begun for is nobody's any more.
  const round = useRef(0)

  const step = async (name: StepName, work: (bound: Bound, now: Journey) => Promise<Partial<Journey>>) => {
    const mine = round.current
    const set = (change: (old: Journey) => Journey) => {
      if (shown.current && mine === round.current) setJourney(change)
    }
    const sent: Sent[] = []
    set((old) => ({ ...old, busy: true, fault: null }))
    try {
      const bound = await clientFor(
        latest.current.choice,
        sandbox,
        recording((each) => sent.push(each)),
      )
      const change = await work(bound, latest.current)
      set((old) => ({ ...old, busy: false, sent: { ...old.sent, ...sentBy(name, sent) }, ...change }))
    } catch (error) {
      set((old) => ({ ...old, busy: false, fault: faultOf(error) }))
    }
  }

  const moves: Moves = {
    choose(choice) {
      round.current += 1
      setJourney(begun(choice))
    },
    setAmount: (amount) => setJourney((old) => ({ ...old, amount, wrong: null })),
    async ask() {
      const wrong = wrongAmount(latest.current.amount)
      setJourney((old) => ({ ...old, wrong }))
      if (wrong !== null) return
      await step('ask', async (bound, { choice, amount }) => {
        const transaction = await bound.craft(choice.action, inputOf(choice, amount.trim()))
        return { transaction, at: 'sign' }
      })
    },
    sign: () =>
      step('sign', async (_bound, { transaction, choice }) => {
        if (!transaction) throw new Error('nothing was asked for')
        const signed = await signWith(transaction, choice, choice.address)
        return { signed, at: 'send', sent: { ...latest.current.sent, sign: [custodianCall(transaction, choice)] } }
      }),
    send: () =>
      step('send', async (bound, { signed, choice }) => {
        if (!signed) throw new Error('nothing was signed')
        const before = await bound.balance(choice.address).catch(() => null)
        const { txHash } = await bound.send(signed)
        onChain()
        const now = await bound.balance(choice.address).catch(() => null)
        return { txHash, before, now, at: 'see' }
      }),
    look: () => step('see', async (bound, { choice }) => ({ now: await bound.balance(choice.address) })),
    again() {
      round.current += 1
      setJourney((old) => ({ ...begun(old.choice), amount: old.amount }))
    },
  }
  return [journey, moves]
}

function begun(choice: Choice): Journey {
  return {
    choice,
    amount: suggested(choice),
    wrong: null,
    at: 'ask',
    busy: false,
    fault: null,
    transaction: null,
    signed: null,
    txHash: null,
    before: null,
    now: null,
    sent: {},
  }
}

/** What the custodian was asked, for a shell: the reader's own token stays out of it. */
function custodianCall({ payload }: VerifiedTransaction, { family, address }: Choice): Sent {
  return {
    method: 'POST',
    url: `${baseUrl}/api/v1/sandbox/wallets/sign`,
    headers: { token: 'the management token that npm start printed', 'content-type': 'application/json' },
    body: JSON.stringify({ family, address, payload: hexOf(payload) }),
  }
}

/** A stake reads the position as well, which belongs to the last step. */
function sentBy(step: StepName, sent: readonly Sent[]): Journey['sent'] {
  const reads = sent.filter(({ method }) => method === 'GET').slice(-1)
  const acts = sent.filter(({ method }) => method !== 'GET')
  return { ...(step === 'see' ? {} : { [step]: acts }), ...(reads.length > 0 ? { see: reads } : {}) }
}

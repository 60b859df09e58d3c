import { signal } from '@preact/signals'
import type { Balance, TransactionStatus } from '@svc/client'
import type { Sandbox } from '../../api/sandbox.ts'
import { identity } from '../../state/session.ts'
import type { Draft, SignedDraft } from './answers.ts'
import { type Choice, suggested, wrongAmount } from './choices.ts'
import { sendKnown } from './maybe-sent.ts'
import { type RecordedRequest, recording } from './recorder.ts'
import { type Fault, faultOf, sentHash } from './sentences.ts'
import { type BoundClient, baseUrl, clientFor, hexOf, inputOf } from './service.ts'

/** The steps, in their order; `check` is done by the answer to `ask`. */
export type StepName = 'ask' | 'check' | 'sign' | 'send' | 'see'

/** Progress of a stake. */
export interface Journey {
  readonly choice: Choice
  readonly amount: string
  readonly wrong: string | null
  /** The step that is to be done next. */
  readonly at: StepName
  readonly busy: boolean
  readonly fault: Fault | null
  readonly transaction: Draft | null
  readonly signed: SignedDraft | null
  readonly txHash: string | null
  /** State of the transaction, as read last; null where it could not be read. */
  readonly status: TransactionStatus | null
  /** Before the stake, and as read last. */
  readonly before: Balance | null
  readonly now: Balance | null
  /** Requests that each step sent. */
  readonly sent: Readonly<Partial<Record<StepName, readonly RecordedRequest[]>>>
}

/** Actions on the journey. */
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

/** The stake that is under way, and whose: it waits while its reader looks at another page. */
const current = signal<{ readonly of: string; readonly journey: Journey } | null>(null)
/** Counts stakes: what another one was begun for is nobody's any more. */
let round = 0

/** Takes a stake from the question to the position; goes on with the one that is under way, where there is one. `onChain` is called when a chain may have moved. */
export function useJourney(first: Choice, sandbox: Sandbox, onChain: () => void): readonly [Journey, Moves] {
  // Another reader, or another sandbox, begins anew.
  const of = `${identity.value} ${sandbox.api_key} ${first.id}`
  if (current.peek()?.of !== of) begin(first)
  const journey = current.value?.journey ?? begun(first)

  function begin(choice: Choice, amount?: string) {
    round += 1
    const fresh = begun(choice)
    current.value = { of, journey: amount === undefined ? fresh : { ...fresh, amount } }
  }
  function setJourney(change: (old: Journey) => Journey) {
    const { value } = current
    if (value) current.value = { of: value.of, journey: change(value.journey) }
  }
  const now = () => current.peek()?.journey ?? journey

  const step = async (name: StepName, work: (bound: BoundClient, now: Journey) => Promise<Partial<Journey>>) => {
    const mine = round
    const set = (change: (old: Journey) => Journey) => {
      if (mine === round) setJourney(change)
    }
    const sent: RecordedRequest[] = []
    set((old) => ({ ...old, busy: true, fault: null }))
    try {
      const bound = await clientFor(
        now().choice,
        sandbox,
        recording((each) => sent.push(each)),
      )
      const change = await work(bound, now())
      set((old) => ({ ...old, busy: false, sent: { ...old.sent, ...sentBy(name, sent) }, ...change }))
    } catch (error) {
      const txHash = sentHash(error)
      // What may have been sent is looked up, and not sent again.
      set((old) => ({ ...old, busy: false, fault: faultOf(error), ...(txHash === null ? {} : { txHash, at: 'see' as const }) }))
    }
  }

  const moves: Moves = {
    choose: (choice) => begin(choice),
    setAmount: (amount) => setJourney((old) => ({ ...old, amount, wrong: null })),
    async ask() {
      const wrong = wrongAmount(now().amount)
      setJourney((old) => ({ ...old, wrong }))
      if (wrong !== null) return
      await step('ask', async (bound, { choice, amount }) => {
        const transaction = await bound.craft(choice.action, inputOf(choice, amount.trim()))
        return { transaction, at: 'sign' }
      })
    },
    sign: () =>
      step('sign', async (bound, { transaction, choice }) => {
        if (!transaction) throw new Error('nothing was asked for')
        const signed = await bound.sign(transaction, choice.address)
        return { signed, at: 'send', sent: { ...now().sent, sign: [custodianCall(transaction, choice)] } }
      }),
    send: () =>
      step('send', async (bound, { signed, choice }) => {
        if (!signed) throw new Error('nothing was signed')
        const before = await bound.balance(choice.address).catch(() => null)
        const txHash = await sendKnown(signed.txHash, () => bound.send(signed))
        onChain()
        const status = await bound.status(txHash).catch(() => null)
        const now = await bound.balance(choice.address).catch(() => null)
        return { txHash, status, before, now, at: 'see' }
      }),
    look: () =>
      step('see', async (bound, { choice, txHash, status }) => ({
        status: txHash === null ? status : await bound.status(txHash).catch(() => status),
        now: await bound.balance(choice.address),
      })),
    again: () => begin(now().choice, now().amount),
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
    status: null,
    before: null,
    now: null,
    sent: {},
  }
}

/** Returns what the custodian was asked, for a shell: the reader's own token stays out of it. */
function custodianCall({ payload }: Draft, { family, address }: Choice): RecordedRequest {
  return {
    method: 'POST',
    url: `${baseUrl}/api/v1/sandbox/wallets/sign`,
    headers: { token: 'the management token that npm start printed', 'content-type': 'application/json' },
    body: JSON.stringify({ family, address, payload: hexOf(payload) }),
  }
}

/** A stake reads the transaction and the position as well, which belongs to the last step. */
function sentBy(step: StepName, sent: readonly RecordedRequest[]): Journey['sent'] {
  const reads = sent.filter(({ method }) => method === 'GET').slice(-2)
  const acts = sent.filter(({ method }) => method !== 'GET')
  return { ...(step === 'see' ? {} : { [step]: acts }), ...(reads.length > 0 ? { see: reads } : {}) }
}

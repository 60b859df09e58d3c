import { itemsOf, malformedAnswer, membersOf } from '@svc/contract'
import { DENOM } from '../denom.ts'

/** Something that happened in a transaction, in the chain's words. */
export interface CosmosEvent {
  readonly type: string
  /** Attributes by key; of attributes that stand twice, the last one. */
  readonly attributes: Readonly<Record<string, string>>
}

/** Effects of a transaction, for a plugin's `moved`. */
export interface CosmosReceipt {
  readonly height: bigint
  /** Events of the transaction: those of the checks first, then those of its messages, which have the attribute `msg_index`. */
  readonly events: readonly CosmosEvent[]
  /** Unbonding entries that the transaction has made and that the chain still has, each by its validator and number. */
  readonly unbondings: readonly { readonly validator: string; readonly id: bigint }[]
}

/** Events of one transaction, at most: a block of gas has room for some thousands. */
const MOST_EVENTS = 20_000

/** Reads the events of a result, with bounds on their form. @throws EndpointError */
export function eventsOf(value: unknown): readonly CosmosEvent[] {
  const events = value === null || value === undefined ? [] : itemsOf(value)
  if (!Array.isArray(value ?? []) || events.length > MOST_EVENTS) throw malformedAnswer(value)
  return events.map((event) => {
    const { type, attributes } = membersOf(event)
    // A member that is empty may be left out.
    if (typeof type !== 'string' || !Array.isArray(attributes ?? [])) throw malformedAnswer(event)
    const pairs = itemsOf(attributes ?? []).map((attribute) => {
      const { key, value: text } = membersOf(attribute)
      if (typeof key !== 'string' || (typeof text !== 'string' && text != null)) throw malformedAnswer(attribute)
      return [key, text ?? ''] as const
    })
    const summary = { type, attributes: Object.fromEntries(pairs) }
    for (const key of Object.hasOwn(AMOUNTS, type) ? (AMOUNTS[type] ?? []) : []) coinsIn(summary.attributes[key] ?? '')
    return summary
  })
}

/** Attributes that are coins, of the SDK's own events: amounts are read from them. */
const AMOUNTS: Readonly<Record<string, readonly string[]>> = {
  tx: ['fee'],
  coin_spent: ['amount'],
  coin_received: ['amount'],
  delegate: ['amount'],
  unbond: ['amount'],
  cancel_unbonding_delegation: ['amount'],
  withdraw_rewards: ['amount'],
}

/** Tells whether a transaction passed the checks before its messages: then the fee is paid and the sequence used, whatever the messages came to. */
export function passedChecks(events: readonly CosmosEvent[]): boolean {
  return events.some(({ type, attributes }) => type === 'tx' && (attributes.fee !== undefined || attributes.acc_seq !== undefined))
}

/** Tells whether an event belongs to a message, and not to the checks or the fee. */
export function isOfMessage({ attributes }: CosmosEvent): boolean {
  return attributes.msg_index !== undefined
}

/** Returns the first signer of a transaction from its events, by the sequence used. */
export function signerIn(events: readonly CosmosEvent[]): string | undefined {
  const sequence = events.find(({ type, attributes }) => type === 'tx' && attributes.acc_seq !== undefined)?.attributes.acc_seq
  return sequence?.slice(0, sequence.lastIndexOf('/'))
}

/**
 * Reads the fee that was charged, in base units of a denom. Where no event `tx.fee` tells it, as on the Cosmos Hub, it is the first amount that the payer spent outside of
 * the messages: the whole fee is taken before they run. Amounts that others spent there are no part of it.
 *
 * @param payer of the fee; null: who signed first
 * @returns null where the events do not say it
 * @see feemarket v1.1.2, x/feemarket/ante/fee.go, line 179 (EscrowFunds, read 2026-11-24; true of 891 of 891 transactions measured on 2026-11-23)
 */
export function feeIn(events: readonly CosmosEvent[], denom: string, payer: string | null): bigint | null {
  const who = payer ?? signerIn(events)
  const isPayers = (by: string | undefined) => by === undefined || by === who
  const fee = events.find(({ type, attributes }) => type === 'tx' && attributes.fee !== undefined && isPayers(attributes.fee_payer))
    ?.attributes.fee
  const spent = events.find((event) => event.type === 'coin_spent' && !isOfMessage(event) && event.attributes.spender === who)?.attributes
    .amount
  const charged = fee ?? spent
  return charged === undefined ? null : (coinsIn(charged)[denom] ?? 0n)
}

/** Reads coins in the chain's notation, `12uatom,3ibc/27…`, into amounts by denom. @throws EndpointError for text that is none */
export function coinsIn(text: string): Readonly<Record<string, bigint>> {
  // Without members of its own: anybody can name a coin `constructor`.
  const coins: Record<string, bigint> = Object.create(null)
  for (const part of text === '' ? [] : text.split(',')) {
    const [, amount, denom = ''] = /^(\d{1,78})(\D.*)$/.exec(part) ?? []
    if (amount === undefined || !DENOM.test(denom)) throw malformedAnswer(text)
    coins[denom] = (coins[denom] ?? 0n) + BigInt(amount)
  }
  return coins
}

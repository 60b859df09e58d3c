import type { CosmosGenesis } from './genesis.ts'
import type { State } from './state.ts'

/** Something that happened, for those who search. */
export interface ChainEvent {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index: boolean }[]
}

/** Context in which a module works: the state it may change, and the block it is in. */
export interface Context {
  readonly chainId: string
  readonly genesis: CosmosGenesis
  readonly state: State
  readonly height: bigint
  /** Block time in milliseconds since 1970. */
  readonly time: number
  /** Operator address of the block's proposer. */
  readonly proposer: string
  readonly events: ChainEvent[]
}

/** Returns the module that emits a message's events, by the message's service, as the SDK does. */
export function moduleOf(typeUrl: string): string {
  return typeUrl.split('.')[1] ?? ''
}

/** Marks events with the part of the block in which they came, as events outside of transactions are. */
export function inMode(events: readonly ChainEvent[], mode: 'BeginBlock' | 'EndBlock'): ChainEvent[] {
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, { key: 'mode', value: mode, index: true }] }))
}

/** Adds an event to a context. */
export function emit(ctx: Context, type: string, attributes: Readonly<Record<string, string>>): void {
  ctx.events.push({ type, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })) })
}

/** Formats an amount of the chain's own coin in the chain's notation: `12uatom`. */
export function coinText(ctx: Context, amount: bigint, denom: string = ctx.genesis.denom): string {
  return `${amount}${denom}`
}

/** Writes several coins as the chain does: `3ibc/…,12uatom`. */
export function coinsText(coins: readonly { readonly denom: string; readonly amount: bigint }[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

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

/** Tells which module emits a message's events; as the SDK names it by the service of the message. */
export function moduleOf(typeUrl: string): string {
  return typeUrl.split('.')[1] ?? ''
}

/** Says of events in which part of the block they came, as those outside of transactions do. */
export function inMode(events: readonly ChainEvent[], mode: 'BeginBlock' | 'EndBlock'): ChainEvent[] {
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, { key: 'mode', value: mode, index: true }] }))
}

/** Adds an event. */
export function emit(ctx: Context, type: string, attributes: Readonly<Record<string, string>>): void {
  ctx.events.push({ type, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })) })
}

/** An amount of the chain's own coin as the chain writes it: `12uatom`. */
export function coinText(ctx: Context, amount: bigint, denom: string = ctx.genesis.denom): string {
  return `${amount}${denom}`
}

/** Writes several coins as the chain does: `3ibc/…,12uatom`. */
export function coinsText(coins: readonly { readonly denom: string; readonly amount: bigint }[]): string {
  return coins.map(({ denom, amount }) => `${amount}${denom}`).join(',')
}

import type { CosmosGenesis } from './genesis.ts'
import type { State } from './state.ts'

/** Something that happened, for those who search. */
export interface ChainEvent {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string; readonly index: boolean }[]
}

/** What a module works with: the state it may change, and the block it is in. */
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

/** Adds an event. */
export function emit(ctx: Context, type: string, attributes: Readonly<Record<string, string>>): void {
  ctx.events.push({ type, attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })) })
}

/** An amount of the chain's own coin as the chain writes it: `12uatom`. */
export function coinText(ctx: Context, amount: bigint, denom: string = ctx.genesis.denom): string {
  return `${amount}${denom}`
}

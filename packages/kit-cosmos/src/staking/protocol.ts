import { Former, type ProtocolExamples, type ProtocolPlugin, protocol, refuseFormerPresent } from '@svc/contract'
import type { HubIntent } from '@svc/intent-hub'
import { validatorSchema } from '../address.ts'
import type { CosmosChain } from '../chain.ts'
import { cosmos } from '../kit.ts'
import { stakingBook } from '../ledger/book.ts'
import { stakingRequirements } from '../requirements/staking.ts'
import { stakingActions } from './actions.ts'
import { stakingBalance } from './balance.ts'
import { stakingCondition } from './condition.ts'
import { stakingDue } from './due.ts'
import { stakingFeed } from './feed.ts'
import { stakingInfo } from './info.ts'
import { inspectFormerStaking, inspectStaking } from './inspect.ts'
import { stakingMoved } from './moved.ts'
import { validatorsOf } from './network.ts'
import { readRedelegations } from './redelegations.ts'
import { stakingStirrings } from './stirrings.ts'

/** Interval at which the index is searched, in seconds: with the block's time and that of a reading, a change from elsewhere is found within a minute. */
const SEARCH_SECONDS = 45

/** A protocol of native delegation: its chain, and what it is called. Data, and nothing else. */
export interface Hub {
  /** npm name of the plugin. */
  readonly name: string
  /** Two segments behind `/api/v1`: `/hub-one/native`. */
  readonly prefix: `/${string}/${string}`
  /** One line for OpenAPI. */
  readonly summary: string
  /** Title of the items of `/networks`. @default Network */
  readonly networkTitle?: string
  /** Most that a transaction may cost in fees, in native tokens, unless the operator's `max_fee` says otherwise. */
  readonly maxFee: string
  /** Its token's id at the price source, by chain id. */
  readonly coins?: Readonly<Record<string, string>>
  /** Examples that the document and the console show; recorded by `pnpm examples`. */
  readonly examples?: ProtocolExamples
  readonly chain: CosmosChain
  /** Symbol of the chain's token, for sentences: `ATOM`. */
  readonly symbol: string
  /** Intent of `@svc/intent-hub`: the promises to the protocol's callers. */
  readonly intent: HubIntent
}

/**
 * Makes the plugin of a chain of the family with native delegation: x/staking and x/distribution, one validator. A chain is data:
 *
 * ```ts
 * export default hubProtocol({ name: '@svc/plugin-hub-one', prefix: '/hub-one/native', summary: '…', maxFee: '0.1', symbol: 'ATOM', intent: hubOne, chain })
 * ```
 */
export function hubProtocol({ chain, ...hub }: Hub): ProtocolPlugin {
  const definers = protocol(cosmos(chain), {
    validator: validatorSchema(chain.prefix),
    former_validators: Former(validatorSchema(chain.prefix), 'validators'),
  })
  return definers.definePlugin({
    ...hub,
    codes: {},
    validateSettings: ({ validator, former_validators: former }) => refuseFormerPresent(validator, former, 'former_validators'),
    validators: validatorsOf,
    actions: stakingActions(chain, hub.intent.actions, definers),
    balance: (ctx, address) => stakingBalance(ctx, chain, address),
    redelegations: (ctx, address, after) => readRedelegations(ctx, address, after),
    stirrings: { everySeconds: SEARCH_SECONDS, search: (ctx, after) => stakingStirrings(ctx, chain, after), feed: stakingFeed(chain) },
    moved: (network, receipt, wallet) => stakingMoved(chain.denom, validatorsOf(network), receipt, wallet),
    due: async (ctx, _address, balance) => stakingDue(balance, ctx.now()),
    info: (ctx) => stakingInfo(ctx, chain),
    condition: (ctx) => stakingCondition(ctx, chain.prefix),
    ...(chain.sequenced ? { book: stakingBook(chain) } : {}),
    inspect: (ctx) => inspectStaking(ctx, chain),
    inspectFormer: inspectFormerStaking,
    requirements: stakingRequirements(chain),
  })
}

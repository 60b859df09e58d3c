import { type ChainOperation, formatUnits, maxSeconds, parseCount, parseFlag, parseUnits, SandboxError, show } from '@svc/sandbox'
import { parseAddress } from './address.ts'
import type { BlockAround } from './app.ts'
import type { Context } from './context.ts'
import { type Dec, formatDec, one, parseDec } from './dec.ts'
import type { CosmosGenesis } from './genesis.ts'
import { lifeOperations } from './life-operations.ts'
import { ensureAccount } from './modules/auth.ts'
import { mintCoins } from './modules/bank.ts'
import { gasPrice, setBasePrice } from './modules/feemarket.ts'
import { jail, slashValidator, tombstone, unjail } from './modules/slashing.ts'
import type { Block, Node } from './node.ts'
import { rewardOperations } from './reward-operations.ts'
import { status, type Vesting } from './state.ts'

/** Functions of a chain that its operations need. */
interface Chain {
  readonly node: Node | undefined
  readonly id: string
  validator(moniker?: string): string
  latest(): { block: number; timestamp: number }
  makeBlock(around: BlockAround): Block
}

type Body = Readonly<Record<string, unknown>>

/** Makes the operations of the control port on a Cosmos chain besides those of every chain. The validator is the operator's unless named. */
export function chainOperations(chain: Chain): Readonly<Record<string, ChainOperation>> {
  return {
    ...lifeOperations(chain, () => running(chain)),
    ...rewardOperations(
      chain,
      () => running(chain),
      (body) => operatorOf(chain, body),
    ),
    slash: {
      example: { validator: '…valoper1…', fraction: '0.05', since: 1 },
      members: ['validator', 'fraction', 'since'],
      async run(body) {
        const { genesis, latest } = running(chain)
        const operator = operatorOf(chain, body)
        const fraction = fractionOf(body.fraction ?? genesis.slashing.doubleSignFraction)
        const since = heightOf(body.since, latest.height)
        let burned = 0n
        chain.makeBlock({
          begin(ctx) {
            if (ctx.state.validators.get(operator)?.status === status.unbonded) {
              throw new SandboxError('INVALID_INPUT', `validator ${operator} is unbonded: it has nothing at stake`)
            }
            burned = slashValidator(ctx, operator, fraction, since)
          },
        })
        return { ...standing(chain, operator), burned: formatUnits(burned, genesis.decimals) }
      },
    },
    jail: {
      example: { validator: '…valoper1…', seconds: 600 },
      members: ['validator', 'seconds'],
      async run(body) {
        const operator = operatorOf(chain, body)
        const { genesis } = running(chain)
        const seconds = body.seconds === undefined ? genesis.slashing.downtimeJailSeconds : parseCount('seconds', body.seconds, maxSeconds)
        chain.makeBlock({ begin: (ctx) => jail(ctx, operator, ctx.time + seconds * 1000) })
        return standing(chain, operator)
      },
    },
    unjail: {
      example: { validator: '…valoper1…' },
      members: ['validator'],
      async run(body) {
        const operator = operatorOf(chain, body)
        chain.makeBlock({
          begin(ctx) {
            const { jailed, tombstoned } = ctx.state.validators.existing(operator)
            if (!jailed) throw new SandboxError('INVALID_INPUT', `validator ${operator} is not jailed`)
            if (tombstoned) throw new SandboxError('INVALID_INPUT', `validator ${operator} is tombstoned: it stays jailed for ever`)
            unjail(ctx, operator)
          },
        })
        return standing(chain, operator)
      },
    },
    tombstone: {
      example: { validator: '…valoper1…', since: 1 },
      members: ['validator', 'since'],
      async run(body) {
        const { genesis, latest } = running(chain)
        const operator = operatorOf(chain, body)
        const since = heightOf(body.since, latest.height)
        let burned = 0n
        chain.makeBlock({
          begin(ctx) {
            burned = tombstone(ctx, operator, since)
          },
        })
        return { ...standing(chain, operator), burned: formatUnits(burned, genesis.decimals) }
      },
    },
    commission: {
      example: { validator: '…valoper1…', rate: '0.1' },
      members: ['validator', 'rate'],
      async run(body) {
        const operator = operatorOf(chain, body)
        const commission = rateOf('rate', body.rate)
        chain.makeBlock({
          begin: ({ state }) => state.validators.set(operator, { ...state.validators.existing(operator), commission }),
        })
        return { ...standing(chain, operator), commission: formatDec(commission) }
      },
    },
    params: {
      example: { unbonding_seconds: 604_800, max_entries: 7, min_commission: '0.05' },
      members: ['unbonding_seconds', 'max_entries', 'min_commission'],
      async run({ unbonding_seconds: unbonding, max_entries: entries, min_commission: least }) {
        const { app } = running(chain)
        const { staking } = app.genesis
        const changed = {
          ...staking,
          ...(unbonding === undefined ? {} : { unbondingSeconds: parseCount('unbonding_seconds', unbonding, maxSeconds) }),
          ...(entries === undefined ? {} : { maxEntries: parseCount('max_entries', entries, MOST_ENTRIES) }),
          ...(least === undefined ? {} : { minCommission: formatDec(rateOf('min_commission', least)) }),
        }
        app.genesis = { ...app.genesis, staking: changed }
        chain.makeBlock({})
        const { unbondingSeconds, maxEntries, minCommission } = changed
        return { ...chain.latest(), unbonding_seconds: unbondingSeconds, max_entries: maxEntries, min_commission: minCommission }
      },
    },
    'gas-price': {
      example: { price: '0.01' },
      members: ['price'],
      async run(body) {
        const { genesis } = running(chain)
        const price = priceOf(genesis, body.price)
        // At the end of a block, after the block itself has moved it.
        chain.makeBlock({ end: (ctx) => setBasePrice(ctx.state, price) })
        const { state } = running(chain).app.view()
        return { ...chain.latest(), price: formatDec(gasPrice(genesis, state)) }
      },
    },
    vest: {
      example: { address: '…1…', amount: '1.5', kind: 'continuous', seconds: 3600 },
      members: ['address', 'amount', 'kind', 'seconds', 'periods'],
      async run(body) {
        const { genesis } = running(chain)
        const address = parseAddress(body.address, genesis.prefix)
        const amount = parseUnits(body.amount, genesis.decimals)
        const kind = vestingKind(body.kind ?? 'continuous')
        const seconds = kind === 'permanent' ? 0 : parseCount('seconds', body.seconds, maxSeconds)
        const periods = kind === 'periodic' ? parseCount('periods', body.periods, MOST_PERIODS) : 0
        if (kind === 'periodic' && (periods === 0 || periods > seconds))
          throw new SandboxError('INVALID_INPUT', `periods is ${show(body.periods)}: it must be from 1 to seconds, each a second at least`)
        chain.makeBlock({ begin: (ctx) => openVesting(ctx, address, amount, { kind, seconds, periods }) })
        return { ...chain.latest(), address, vesting: formatUnits(amount, genesis.decimals), kind }
      },
    },
    blocks: {
      example: { instant: false },
      members: ['instant'],
      async run({ instant: flag }) {
        const instant = parseFlag('instant', flag, 'true makes a block for every transaction, false lets them wait for mine')
        running(chain).instant = instant
        return { ...chain.latest(), instant, pending: running(chain).pending.length }
      },
    },
  }
}

function running(chain: Chain): Node {
  if (chain.node !== undefined) return chain.node
  throw new SandboxError('NOT_SUPPORTED', `${chain.id} has no genesis yet: its scenario gives it one when it is installed`)
}

function operatorOf(chain: Chain, { validator }: Body): string {
  const { genesis, app } = running(chain)
  if (validator === undefined) return chain.validator()
  const operator = parseAddress(validator, `${genesis.prefix}valoper`)
  if (app.view().state.validators.has(operator)) return operator
  throw new SandboxError('INVALID_INPUT', `validator ${operator} does not exist on ${chain.id}`)
}

function standing(chain: Chain, operator: string): Record<string, unknown> {
  const { genesis, app } = running(chain)
  const { tokens, jailed, tombstoned, status } = app.view().state.validators.existing(operator)
  const names = { 1: 'unbonded', 2: 'unbonding', 3: 'bonded' } as const
  const state = { tokens: formatUnits(tokens, genesis.decimals), status: names[status], jailed, tombstoned }
  return { ...chain.latest(), validator: operator, ...state }
}

/** Unbonding entries of a delegation at most: the chain's own number is 7. */
const MOST_ENTRIES = 1_000
/** Periods of a vesting account at most: more than a transaction has room for. */
const MOST_PERIODS = 40_000

interface Schedule {
  readonly kind: Vesting['kind']
  readonly seconds: number
  readonly periods: number
}

function openVesting(ctx: Context, address: string, amount: bigint, { kind, seconds, periods }: Schedule): void {
  if (ctx.state.accounts.has(address))
    throw new SandboxError('INVALID_INPUT', `address ${address} is an account already: only a new one can vest`)
  const start = BigInt(Math.floor(ctx.time / 1000))
  const vesting: Vesting = { kind, original: amount, start, end: start + BigInt(seconds), delegatedVesting: 0n, delegatedFree: 0n, periods }
  ensureAccount(ctx.state, address, { vesting })
  mintCoins(ctx, address, amount)
}

function vestingKind(value: unknown): Vesting['kind'] {
  if (value === 'continuous' || value === 'delayed' || value === 'permanent' || value === 'periodic') return value
  throw new SandboxError('INVALID_INPUT', `kind is ${show(value)}: it must be one of continuous, delayed, permanent, periodic`)
}

/** Height of a block that there is; the latest one's when absent. */
function heightOf(since: unknown, latest: bigint): bigint {
  return since === undefined ? latest : BigInt(parseCount('since', since, Number(latest)))
}

function fractionOf(value: unknown): Dec {
  const fraction = decOf('fraction', value)
  if (fraction > 0n && fraction <= one) return fraction
  throw new SandboxError('INVALID_INPUT', `fraction is ${show(value)}: it must be above 0 and at most 1`)
}

function rateOf(name: string, value: unknown): Dec {
  const rate = decOf(name, value)
  if (rate >= 0n && rate <= one) return rate
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: it must be from 0 to 1`)
}

function priceOf(genesis: CosmosGenesis, value: unknown): Dec {
  if (genesis.fees.kind !== 'feemarket')
    throw new SandboxError('NOT_SUPPORTED', 'this chain has no fee market: its gas price stays what it is')
  const price = decOf('price', value)
  if (price >= parseDec(genesis.fees.minBasePrice)) return price
  throw new SandboxError('INVALID_INPUT', `price is ${show(value)}: it never falls below ${genesis.fees.minBasePrice}`)
}

function decOf(name: string, value: unknown): Dec {
  try {
    if (typeof value === 'string') return parseDec(value)
  } catch {}
  throw new SandboxError('INVALID_INPUT', `${name} is ${show(value)}: it must be decimal text, such as "0.05"`)
}

import { bcs } from '@mysten/sui/bcs'
import { Transaction, type TransactionArgument } from '@mysten/sui/transactions'
import { answer, verdictOf } from '@svc/kit-move'
import type { Reading } from '../network.ts'
import { fewAtOnce } from './at-once.ts'
import { knownValidators } from './learned.ts'

/** Address that asks where nobody signs. */
const NOBODY = `0x${'0'.repeat(64)}`
/** Commands of one simulation; the chain takes fewer than 1024. @see https://docs.sui.io/concepts/transactions/prog-txn-blocks (read 2026-11-21) */
const COMMANDS = 500

/** Positions whose pool is not in the active set: of a validator that left it, or has not joined. */
interface InactivePositions {
  readonly pools: readonly string[]
  /** Ids of stakes whose rewards are wanted. */
  readonly stakes: readonly string[]
  /** Ids of fungible stakes. */
  readonly shares: readonly string[]
}

/** Answers of a simulation on inactive pools; what it did not tell is missing. */
export interface InactivePools {
  /** Address of a pool's validator. */
  readonly validators: ReadonlyMap<string, string>
  /** Rewards in MIST by stake. */
  readonly rewards: ReadonlyMap<string, bigint>
  /** MIST that a redemption would pay, by fungible stake. */
  readonly payouts: ReadonlyMap<string, bigint>
}

/**
 * Reads validators, rewards and payouts of positions in inactive pools by the chain's own code. It simulates calls with the checks of a real transaction off, so that
 * anybody's positions can be named and nothing is committed. A pool keeps its validator for good, so that it is asked for once.
 *
 * @throws 502, 503, 504
 */
export async function readInactivePools(ctx: Reading, { pools, stakes, shares }: InactivePositions): Promise<InactivePools> {
  const validators = knownValidators(ctx)
  const unknown = [...new Set(pools)].filter((pool) => !validators.has(pool))
  const [owners, rewards, payouts] = await Promise.all([
    askEach(ctx, unknown, ADDRESS, (tx, pool) => call(tx, 'validator_address_by_pool_id', tx.pure.id(pool))),
    askRewards(ctx, stakes),
    askEach(ctx, shares, U64, (tx, id) => call(tx, 'redeem_fungible_staked_sui', tx.object(id))),
  ])
  for (const [pool, validator] of owners) ctx.learned.validators.set(pool, validator)
  return { validators: knownValidators(ctx), rewards: amounts(rewards), payouts: amounts(payouts) }
}

/** Reads the rewards of stakes by the chain's own code, in MIST; a stake that it did not tell is missing. @throws 502, 503, 504 */
export async function readChainRewards(ctx: Reading, stakes: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  return amounts(await askRewards(ctx, stakes))
}

/** Reads the tables in which pools keep their rates, active or not; a pool that the chain did not tell is missing. @throws 502, 503, 504 */
export function readTables(ctx: Reading, pools: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return askEach(ctx, pools, TABLE, (tx, pool) => call(tx, 'pool_exchange_rates', tx.pure.id(pool)))
}

function askRewards(ctx: Reading, stakes: readonly string[]): Promise<Map<string, string>> {
  return askEach(ctx, stakes, U64, (tx, id) => call(tx, 'calculate_rewards', tx.object(id)))
}

/** A type of what calls return, by the bytes it takes. */
interface Returned<T> {
  readonly size: number
  parse(bytes: Uint8Array): T
}

const ADDRESS: Returned<string> = { size: 32, parse: (bytes) => bcs.Address.parse(bytes) }
/** A table of Move: the id under which its entries are, and how many there are. */
const TABLE: Returned<string> = { size: 40, parse: (bytes) => bcs.Address.parse(bytes) }
const U64: Returned<string> = { size: 8, parse: (bytes) => bcs.u64().parse(bytes) }

/** Runs one call for each subject; where one of them is refused, none of its lot has an answer. */
async function askEach<T>(
  ctx: Reading,
  subjects: readonly string[],
  type: Returned<T>,
  builder: (tx: Transaction, subject: string) => void,
): Promise<Map<string, T>> {
  const lots = Array.from({ length: Math.ceil(subjects.length / COMMANDS) }, (_, index) =>
    subjects.slice(index * COMMANDS, (index + 1) * COMMANDS),
  )
  const answers = new Map<string, T>()
  await fewAtOnce(lots, async (lot) => {
    const tx = new Transaction()
    tx.setSender(NOBODY)
    for (const subject of lot) builder(tx, subject)
    const results = await simulate(ctx, tx)
    for (const [index, subject] of lot.entries()) {
      const bytes = results?.[index]
      // Whatever else a node returns is no answer; the reader throws at too few bytes, and leaves further ones alone.
      if (bytes?.length === type.size) answers.set(subject, type.parse(bytes))
    }
  })
  return answers
}

/** The first value that each command returns; null when the chain refuses. @throws 502, 503, 504 */
async function simulate(ctx: Reading, transaction: Transaction): Promise<readonly (Uint8Array | undefined)[] | null> {
  const simulated = ctx.node.sui.simulateTransaction({ transaction, checksEnabled: false, include: { commandResults: true } })
  const result = await answer(
    simulated.catch((error: unknown) => {
      if (verdictOf(error)) return null
      throw error
    }),
  )
  if (result?.$kind === 'Transaction') return result.commandResults.map(({ returnValues }) => returnValues[0]?.bcs)
  ctx.log.warn(
    { network: ctx.network.chainId, error: result?.FailedTransaction.status.error },
    'positions outside the active set could not be simulated',
  )
  return null
}

function call(tx: Transaction, name: string, argument: TransactionArgument): void {
  tx.moveCall({ target: `0x3::sui_system::${name}`, arguments: [tx.object.system({ mutable: true }), argument] })
}

function amounts(texts: ReadonlyMap<string, string>): ReadonlyMap<string, bigint> {
  return new Map([...texts].map(([id, amount]) => [id, BigInt(amount)]))
}

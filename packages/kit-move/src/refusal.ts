import { type EndpointError, malformedAnswer, membersOf, type ServiceError, tokensText } from '@svc/contract'
import { failureOf, NOT_FOUND, type Verdict, verdictOf } from './answer.ts'
import { badRequest } from './codes.ts'
import { DECIMALS } from './settings.ts'

/** Why a run stopped, as the client words it. */
interface ExecutionError {
  readonly $kind: string
  readonly message: string
  readonly MoveAbort?: {
    readonly abortCode: string
    readonly location?: { readonly package?: string; readonly module?: string; readonly functionName?: string }
  }
}

/**
 * Converts the error of a transaction that could not be built into a refusal.
 *
 * @param sender who was to sign
 * @returns 400 for what the chain would refuse, or that the node gave no verdict
 */
export function simulationRefusal(error: unknown, sender: string): ServiceError | EndpointError {
  const { executionError } = membersOf(error)
  if (isExecutionError(executionError)) return executionRefusal(executionError, sender, error)
  const verdict = verdictOf(error)
  if (verdict === null) return failureOf(error) ?? malformedAnswer(error)
  return (
    shortOfFunds(verdict.message, sender, error) ??
    verdictRefusal(verdict, error) ??
    badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${worded(verdict.message)}.`, error)
  )
}

/** The rest of it is as the client's types say. */
function isExecutionError(error: unknown): error is ExecutionError {
  return typeof membersOf(error).message === 'string'
}

const STALE =
  /(?:not |un)available for consumption|needs to be rebuilt|(?:object|version) (?:\S+ )?(?:is )?unavailable|could not find the referenced object/i
const LOCKED = /locked objects?|already locked|reserved for another transaction|object\S* locked|equivocat/i
/**
 * The transaction that holds an object, or has it: since conflicts are decided behind consensus, it is the one that was executed. The name is base58 of 32 bytes.
 *
 * @see https://github.com/MystenLabs/sui/pull/24676 (read 2026-11-28)
 */
const WINNER = /already locked by a different transaction: TransactionDigest\(([1-9A-HJ-NP-Za-km-z]{32,44})\)/
/** What an address balance cannot cover beside what others have reserved of it, with both amounts in MIST. */
const RESERVATION = /invalid withdraw reservation|insufficient funds for withdraw/i
const AVAILABLE = /is less than requested: (\d{1,20}) < (\d{1,20})/
const EXPIRED = /expired/i
const PRICE = /gas price \S* ?under|reference gas price/i
const SHORT = /insufficient\s*(?:sui\s*)?(?:coin\s*|gas\s*)?balance|insufficient\s*(?:gas|funds)|balance of gas object|gas balance too low/i

/** Makes the refusal for a node's verdict that can be the same before and after signing. @returns null when it is another one */
export function verdictRefusal({ code, message }: Verdict, cause: unknown): ServiceError | null {
  const winner = WINNER.exec(message)?.[1]
  if (winner !== undefined)
    return badRequest(
      'OBJECTS_LOCKED',
      `Another transaction, ${winner}, has taken the coins or the position of this one. Where conflicts are decided behind consensus, as by nodes of today, it has won: look that one up. By an older node it may have locked them only, until the epoch ends.`,
      cause,
    )
  const reserved = RESERVATION.test(message) ? AVAILABLE.exec(message) : null
  if (RESERVATION.test(message)) {
    const [, has, takes] = reserved ?? []
    const amounts =
      has === undefined || takes === undefined
        ? 'less than this transaction takes'
        : `${sui(has)} left, and this transaction takes ${sui(takes)}`
    return badRequest(
      'INSUFFICIENT_BALANCE',
      `The address balance has ${amounts}: an earlier transaction of the wallet may have taken the rest, or has reserved it until it lands. Wait for that one. Craft again.`,
      cause,
    )
  }
  if (LOCKED.test(message))
    return badRequest(
      'OBJECTS_LOCKED',
      'Another transaction has locked the coins or the position of this one: wait until one of them has landed. If both were sent at once, they stay locked until the epoch ends.',
      cause,
    )
  if (STALE.test(message))
    return badRequest(
      'TRANSACTION_STALE',
      'A coin or position in this transaction has changed since it was crafted, because another transaction of the wallet landed. See what that one did, and craft again if it did not do the same.',
      cause,
    )
  if (EXPIRED.test(message))
    return badRequest('TRANSACTION_EXPIRED', 'The epochs in which this transaction was valid have passed. Craft again.', cause)
  if (PRICE.test(message))
    return badRequest('FEE_TOO_LOW', 'The gas price of this transaction is below what the network takes in this epoch. Craft again.', cause)
  const object = code === NOT_FOUND ? /0x[0-9a-f]{64}/i.exec(message)?.[0] : undefined
  return object
    ? badRequest('OBJECT_NOT_FOUND', `The object ${object.toLowerCase()} does not exist on the chain, or no longer.`, cause)
    : null
}

/** Coins that a node selects for one transaction, those that hold most. @see https://github.com/MystenLabs/sui/blob/009e61fc5256ed7730f49a8292187f1b9c1bbb17/crates/sui-rpc-api/src/grpc/v2/transaction_execution_service/simulate/mod.rs (`gas_coin_limit`, read 2026-11-25) */
const MAX_COINS = 255

/**
 * Makes the refusal for a verdict that funds are missing; null when something else is. A budget that a node names while it selects gas is that of the gas alone.
 *
 * @see https://github.com/MystenLabs/sui/blob/main/crates/sui-rpc-api/src/grpc/v2/transaction_execution_service/simulate/mod.rs (`select_gas`, read 2026-11-21)
 */
export function shortOfFunds(message: string, sender: string, cause: unknown): ServiceError | null {
  if (!SHORT.test(message)) return null
  const gas = /required budget (?:of )?(\d{1,20})/i.exec(message)?.[1]
  const what =
    gas === undefined ? 'the amount and the gas' : `the gas alone, up to ${tokensText(BigInt(gas), { decimals: DECIMALS, symbol: 'SUI' })}`
  return badRequest(
    'INSUFFICIENT_BALANCE',
    `${sender} does not hold enough SUI for ${what}. What counts is its address balance and the ${MAX_COINS} coins that hold most.`,
    cause,
  )
}

/**
 * Aborts of the staking modules by code.
 *
 * @see https://github.com/MystenLabs/sui/tree/main/crates/sui-framework/packages/sui-system/sources (validator_set.move, staking_pool.move, read 2026-11-21)
 */
const ABORTS: Readonly<Record<string, (cause: unknown) => ServiceError>> = {
  'validator_set 3': inactive,
  'validator_set 4': inactive,
  'validator_set 10': tooSmall,
  'staking_pool 10': inactive,
  'staking_pool 15': inactive,
  'staking_pool 17': tooSmall,
  'staking_pool 18': tooSmall,
}
const SYSTEM = /^0x0*3$/

function executionRefusal({ message, MoveAbort: abort }: ExecutionError, sender: string, cause: unknown): ServiceError {
  if (abort) {
    const { package: home, module, functionName } = abort.location ?? {}
    const explanation = stakingAbort(home ?? '', module ?? '', abort.abortCode, cause)
    if (explanation) return explanation
    return badRequest(
      'CHAIN_WOULD_REFUSE',
      `The chain would refuse this transaction: it aborts with code ${abort.abortCode} in ${[module, functionName].filter(Boolean).join('::') || 'a Move module'}.`,
      cause,
    )
  }
  return (
    shortOfFunds(message, sender, cause) ??
    badRequest('CHAIN_WOULD_REFUSE', `The chain would refuse this transaction: ${worded(message)}.`, cause)
  )
}

/** Makes the refusal for an abort of the staking modules; null for any other abort. */
export function stakingAbort(home: string, module: string, code: string, cause?: unknown): ServiceError | null {
  return (SYSTEM.test(home) ? ABORTS[`${module} ${code}`]?.(cause) : undefined) ?? null
}

function tooSmall(cause: unknown): ServiceError {
  return badRequest('AMOUNT_TOO_SMALL', 'The amount is below the least that can be staked, 1 SUI.', cause)
}

function inactive(cause: unknown): ServiceError {
  return badRequest(
    'VALIDATOR_INACTIVE',
    "The operator's validator is not in the active set of the chain, so that it takes no stake; the operator has to mend that.",
    cause,
  )
}

const sui = (mist: string) => tokensText(BigInt(mist), { decimals: DECIMALS, symbol: 'SUI' })

/** Shortens a chain's words for a sentence. */
export function worded(message: string): string {
  return message
    .replace(/^Transaction resolution failed: /, '')
    .replace(/\.$/, '')
    .slice(0, 300)
}

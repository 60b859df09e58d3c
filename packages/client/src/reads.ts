import { parseUnits } from '@svc/verify/intent'
import { SvcError } from './errors.ts'

/** An amount of the native token. */
export interface Amount {
  /** Decimal text. */
  readonly text: string
  /** Base units. */
  readonly units: bigint
}

/** A unit of a position that has an identifier of its own. */
export interface StakingObject {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly amount: Amount | null
  readonly rewards: Amount | null
  readonly validatorAddress: string | null
  readonly activationEpoch: number | null
  readonly withdrawableEpoch: number | null
  readonly withdrawableAt: string | null
}

/** State of a position; null for what the protocol does not know. */
export interface Balance {
  readonly staked: Amount
  readonly activating: Amount | null
  readonly deactivating: Amount | null
  readonly withdrawing: Amount | null
  readonly rewards: Amount | null
  readonly objects: readonly StakingObject[] | null
}

/** Terms of staking on a network, as the service answers them; null for a term that does not apply. */
export type StakingInfo = Readonly<Record<string, number | string | null>>

type Members = Readonly<Record<string, unknown>>

/** Reads a balance from the body of an answer; its amounts become base units. @throws SvcError when it is no balance */
export function readBalance(body: unknown, decimals: number): Balance {
  const { staked_amount, staking_objects, ...rest } = membersOf(body)
  const amount = (value: unknown) => amountOf(value, decimals)
  const staked = amount(staked_amount)
  if (staked === null) throw unreadable(body)
  return {
    staked,
    activating: amount(rest.stake_activation_amount),
    deactivating: amount(rest.stake_deactivation_amount),
    withdrawing: amount(rest.stake_withdrawing_amount),
    rewards: amount(rest.stake_rewards_amount),
    objects: Array.isArray(staking_objects) ? staking_objects.map((each) => readObject(membersOf(each), amount)) : null,
  }
}

/** Reads the terms of staking from the body of an answer. @throws SvcError when it is none */
export function readInfo(body: unknown): StakingInfo {
  return membersOf(body) as StakingInfo
}

function readObject(object: Members, amount: (value: unknown) => Amount | null): StakingObject {
  return {
    id: String(object.id),
    type: String(object.type),
    status: String(object.status),
    amount: amount(object.amount),
    rewards: amount(object.rewards_amount),
    validatorAddress: textOf(object.validator_address),
    activationEpoch: numberOf(object.activation_epoch),
    withdrawableEpoch: numberOf(object.withdrawable_epoch),
    withdrawableAt: textOf(object.withdrawable_at),
  }
}

/** Reads an amount of a token from decimal text or a number. @throws SvcError when it is none */
export function amountOf(value: unknown, decimals: number): Amount | null {
  if (value === null || value === undefined) return null
  const text = plain(String(value))
  const units = parseUnits(text, decimals)
  if (units === null) throw unreadable(value)
  return { text, units }
}

/** Writes a number without its exponent, which JavaScript writes for small numbers, 1e-9, and any writer of JSON may: 1.5e3. */
function plain(text: string): string {
  const [, whole = '', fraction = '', exponent] = /^(\d+)(?:\.(\d+))?e([+-]?\d+)$/i.exec(text) ?? []
  // Beyond it there is no amount: nothing is written out that only an exponent makes long.
  if (exponent === undefined || Math.abs(Number(exponent)) > 60) return text
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  return point <= 0
    ? `0.${'0'.repeat(-point)}${digits}`
    : digits.length > point
      ? `${digits.slice(0, point)}.${digits.slice(point)}`
      : digits.padEnd(point, '0')
}

/** Reads an object from a value of JSON. @throws SvcError when it is no object */
export function membersOf(value: unknown): Members {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw unreadable(value)
}

/** Returns a text; null for any other value. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Returns a number; null for any other value. */
export function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function unreadable(value: unknown): SvcError {
  return new SvcError(
    `The answer is of a form that this client does not read: ${value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value}.`,
  )
}

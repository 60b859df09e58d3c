import { formatAmount, itemsOf, membersOf, parseAmount } from '@svc/contract'
import { numberText } from './http.ts'

/** A staking-balance response. Amounts are exact decimal texts in native units. */
export interface Position {
  readonly staked: string
  readonly activating: string | null
  readonly deactivating: string | null
  readonly withdrawing: string | null
  readonly rewards: string | null
  readonly objects: readonly PositionObject[] | null
}

export interface PositionObject {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly amount: string | null
  readonly rewards: string | null
  readonly validator: string | null
  readonly activationEpoch: number | null
  readonly withdrawableEpoch: number | null
  readonly withdrawableAt: string | null
}

/** Position that a journey expects: members left out do not matter, and those of each object neither. */
export type ExpectedPosition = Partial<Omit<Position, 'objects'>> & { readonly objects?: readonly Partial<PositionObject>[] | null }

/**
 * Reads a staking-balance response from its exact texts.
 *
 * @throws a sentence when an amount is no exact decimal of the token
 */
export function readPosition(json: unknown, decimals: number): Position {
  const holder = membersOf(json)
  const amount = (name: string, from: Readonly<Record<string, unknown>> = holder) => {
    if (from[name] === null) return null
    const text = numberText(from, name)
    if (text === undefined) throw new TypeError(`${name} is ${JSON.stringify(from[name])}; it must be a JSON number or null`)
    return formatAmount(parseAmount(text, decimals, name), decimals)
  }
  const { staking_objects: objects } = holder
  return {
    staked: amount('staked_amount') ?? 'null',
    activating: amount('stake_activation_amount'),
    deactivating: amount('stake_deactivation_amount'),
    withdrawing: amount('stake_withdrawing_amount'),
    rewards: amount('stake_rewards_amount'),
    objects:
      objects === null
        ? null
        : itemsOf(objects)
            .map(membersOf)
            .map((object) => ({
              id: String(object.id),
              type: String(object.type),
              status: String(object.status),
              amount: amount('amount', object),
              rewards: amount('rewards_amount', object),
              validator: textOrNull(object.validator_address),
              activationEpoch: numberOrNull(object.activation_epoch),
              withdrawableEpoch: numberOrNull(object.withdrawable_epoch),
              withdrawableAt: textOrNull(object.withdrawable_at),
            })),
  }
}

/** Selects the members of a position that are expected, so that the two can be compared whole. */
export function chosen(position: Position, expected: ExpectedPosition): unknown {
  const members = pick(position, Object.keys(expected))
  const { objects } = expected
  if (!objects || !position.objects) return members
  return { ...members, objects: position.objects.map((object, index) => pick(object, Object.keys(objects[index] ?? object))) }
}

function textOrNull(value: unknown): string | null {
  return value === null ? null : String(value)
}

function numberOrNull(value: unknown): number | null {
  return value === null ? null : Number(value)
}

function pick(from: object, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, membersOf(from)[name]]))
}

import { TokenAmount } from '@svc/contract'
import type { ExactNumber } from '@svc/contract/host'
import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { TransactionStatusSchema, ValidUntilSchema } from '../life/wire.ts'
import { InspectedTransactionSchema } from './inspected.ts'

/** Makes the schema of an amount in tokens, or null. */
function NullableTokenAmount(description: string, examples: number[] = [1.5]): TUnsafe<ExactNumber | null> {
  return Type.Unsafe<ExactNumber | null>({ type: ['number', 'null'], description, examples, 'x-exact': true })
}

const nullableNumber = (description: string, example: number) =>
  Type.Unsafe<number | null>({ type: ['number', 'null'], description, examples: [example] })
const nullableString = (description: string, example: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description, examples: [example] })

/** Body of every refusal. */
const ErrorSchema = Type.Object(
  {
    statusCode: Type.Integer({ description: 'HTTP status code, mirrored.', examples: [400] }),
    message: Type.String({ description: 'HTTP phrase of the status.', examples: ['Bad Request'] }),
    error: Type.String({
      description: 'What was wrong, and what would be right, for a person.',
      examples: ['withdrawId 7 is in use; choose a slot that is not, for example 8.'],
    }),
    code: Type.String({ description: 'Stable word for programs; docs/errors.md lists them all.', examples: ['SLOT_IN_USE'] }),
    tx_hash: Type.Optional(
      Type.String({
        description:
          'Only of a broadcast whose transaction may have reached the chain all the same: its hash. Look it up before you craft another.',
        examples: ['0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c'],
      }),
    ),
  },
  { $id: 'Error', title: 'Error', description: 'A refused or failed request.' },
)

/** Makes the schema of an item of `/networks`, under the title the protocol gives it. */
export function networkSchema(title: string) {
  return Type.Object(
    {
      name: Type.String({ description: 'Internal name of the blockchain entry.', examples: ['mainnet'] }),
      type: Type.String({ description: 'Blockchain type.', examples: ['ETHEREUM'] }),
      chain_id: Type.String({ description: 'Chain identifier: the value for X-NETWORK.', examples: ['143'] }),
      is_default: Type.Boolean({ description: 'True for the network used when X-NETWORK is omitted.', examples: [true] }),
    },
    { title, description: 'A network enabled for the account of the API key.' },
  )
}

export const StakingInfoSchema = Type.Object(
  {
    stake_activation_max_time: nullableNumber('Longest wait, in minutes, before a new stake is active; 0 means at once.', 275),
    stake_deactivation_max_time: nullableNumber(
      'Longest wait, in minutes, before an unstake has finished unbonding; 0 means at once.',
      500,
    ),
    withdrawal_max_time: nullableNumber('Longest wait, in minutes, between completed deactivation and spendable funds; 0 means none.', 0),
    staking_reward_fee: nullableNumber('All fees on rewards, percent of rewards.', 10),
    withdrawal_fee: nullableNumber('Fee on withdrawal, percent of the amount; network fees not included.', 0),
    staking_apr: nullableNumber('Annual percentage rate without compounding, percent, after every fee of staking_reward_fee.', 14.19),
    staking_apy: nullableNumber('Annual percentage yield with compounding, percent, after every fee of staking_reward_fee.', 15.24),
    max_slashing_percentage: nullableNumber('Most that the protocol can slash, percent of stake; 0 means no slashing.', 0),
    min_stake_amount: nullableString('Smallest amount that can be staked, decimal text in native tokens.', '0.000000001'),
    max_stake_amount: nullableString('Largest amount that can be staked, decimal text in native tokens; null means no limit.', '1000000'),
    users: nullableNumber(
      'Addresses staking with the operator on this chain; null on protocol-scoped endpoints, where the chain keeps no list of them, and until they ' +
        'were first counted to the end.',
      1204,
    ),
    tvl_usd: NullableTokenAmount(
      'Value staked with the operator on this chain, in US dollars to the cent; null on protocol-scoped endpoints, and while no price is known ' +
        'that is younger than a day.',
      [1250000],
    ),
    tvl_token: NullableTokenAmount('Value staked with the operator on this chain, in native tokens.', [30000000]),
  },
  {
    $id: 'StakingInfo',
    title: 'StakingInfo',
    description:
      'Terms of staking, from a snapshot refreshed every hour. null means that a member does not apply; a value that could not be read keeps its ' +
      'last good one, and is a 503 when there never was one.',
  },
)

/** Header of staking-info's answer. */
export const snapshotAge = Type.Integer({
  minimum: 0,
  description: 'Seconds since the oldest value in the answer was read. Up to an hour while all sources answer; more when one does not.',
  examples: [412],
})

export const StakingObjectSchema = Type.Object(
  {
    id: Type.String({ description: 'Identifier on its protocol, passed back to its actions.', examples: ['7'] }),
    type: Type.Unsafe<'delegation' | 'withdrawal_request'>({
      type: 'string',
      enum: ['delegation', 'withdrawal_request'],
      description: '`delegation` holds stake; `withdrawal_request` is an exit already asked for.',
    }),
    status: Type.Unsafe<'activating' | 'active' | 'deactivating' | 'withdrawable' | 'unknown'>({
      type: 'string',
      enum: ['activating', 'active', 'deactivating', 'withdrawable', 'unknown'],
      description: 'Phase; objects that share one add up to its bucket. `unknown`: could not be derived.',
    }),
    amount: NullableTokenAmount('Principal in native tokens; null when it could not be read.'),
    rewards_amount: NullableTokenAmount('Rewards on top of the principal, in native tokens; null when not reported per object.', [0.01]),
    validator_address: nullableString("Validator in the protocol's native form; null when not attributable to one.", '12'),
    activation_epoch: nullableNumber('Epoch at which it starts to earn; null when not tracked per object.', 811),
    withdrawable_epoch: nullableNumber('First epoch in which it can be withdrawn; null for release by time or automatic release.', 812),
    withdrawable_at: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      description: 'Instant from which it can be withdrawn; null for release by epoch or automatic release.',
      examples: ['2026-12-12T09:30:00.000Z'],
    }),
  },
  { $id: 'StakingObject', title: 'StakingObject', description: 'A unit of a position with an identifier of its own.' },
)

export const StakingPartSchema = Type.Object(
  {
    validator_address: Type.String({
      description: "Validator (pool, vault) in the protocol's native form, as the actions take it to name it.",
      examples: ['12'],
    }),
    former: Type.Boolean({
      description: 'Whether it is a former one: what lies there leaves and is claimed, and nothing is staked there.',
    }),
    staked_amount: TokenAmount('Its part of the `staked_amount` of the position.', [100]),
    stake_activation_amount: NullableTokenAmount('Its part of the bucket of the same name.'),
    stake_deactivation_amount: NullableTokenAmount('Its part of the bucket of the same name.'),
    stake_withdrawing_amount: NullableTokenAmount('Its part of the bucket of the same name.'),
    stake_rewards_amount: NullableTokenAmount('Its part of the bucket of the same name.', [0.25]),
  },
  { $id: 'StakingPart', title: 'StakingPart', description: 'Part of a position that lies with one validator.' },
)

export const StakingControlSchema = Type.Object(
  {
    aspect: Type.String({
      description:
        'Name of the power: `withdrawer`, `staker` and `lockup` of a stake account, or `withdraw_address` of a delegator, for example; the guide "When something changes that was not you" lists those of each protocol.',
      examples: ['lockup'],
    }),
    holder: nullableString('Address that has it, whole; null where the chain names none.', '9hSR6S7WPtxmTojgo6GG3k4yDPecgJY292j7xrsUGWBu'),
    object_id: nullableString('Identifier of the unit in `staking_objects` that it is over; null: the whole position.', '7'),
    terms: nullableString('Its bounds in words and as the chain has them; null: it has none.', 'until 2100-01-01T00:00:00.000Z'),
    limit_amount: NullableTokenAmount(
      'What its holder may still take by it, in native tokens, where its use makes that less; null: there is no such bound.',
      [5],
    ),
  },
  { $id: 'StakingControl', title: 'StakingControl', description: "A power over a position that is not the wallet's own." },
)

export const StakingBalanceSchema = Type.Object(
  {
    staked_amount: TokenAmount('Active stake, earning, in native tokens.', [100]),
    stake_activation_amount: NullableTokenAmount('Delegated stake still warming up, in native tokens; null when it activates at once.'),
    stake_deactivation_amount: NullableTokenAmount('Unbonding stake, in native tokens; null when there is no unbonding period.'),
    stake_withdrawing_amount: NullableTokenAmount(
      'Deactivated stake awaiting a withdrawal transaction, in native tokens; null when released automatically.',
    ),
    stake_rewards_amount: NullableTokenAmount('Claimable rewards in native tokens; null when compounded into staked_amount.', [0.25]),
    staking_objects: Type.Unsafe<unknown[] | null>({
      type: ['array', 'null'],
      items: { $ref: 'StakingObject#' },
      description: 'Addressable units of the position; null: the protocol has none; empty: the address holds none.',
    }),
    by_validator: Type.Optional(
      Type.Unsafe<Static<typeof StakingPartSchema>[]>({
        type: 'array',
        items: { $ref: 'StakingPart#' },
        description:
          'The same position by validator; only where a part of it lies with a former one of the operator. The buckets above are the sums.',
      }),
    ),
    control: Type.Optional(
      Type.Unsafe<Static<typeof StakingControlSchema>[]>({
        type: 'array',
        items: { $ref: 'StakingControl#' },
        description:
          "Who else may move, take or lock the position: powers that are not the address's own. Empty: there are none; absent: the protocol reads none.",
        'x-beyond-specification': true,
      }),
    ),
  },
  { $id: 'StakingBalance', title: 'StakingBalance', description: "An address's position. Amounts are exact decimals in native tokens." },
)

/** Response of every broadcast. */
const TxHashSchema = Type.Object(
  {
    tx_hash: Type.String({
      description: 'Hash (for move chains: digest) of the submitted transaction. Submitted is not yet final.',
      examples: ['0xad5d30a2ff03ef8bb0341eda4bad23c05d2d60d2cab5a7c559d0409054cc2e4c'],
    }),
  },
  { $id: 'TransactionHash', title: 'TransactionHash', description: 'A submitted transaction.' },
)

/** Schemas that every plugin refers to by `$id`; the host adds them once. */
export const sharedSchemas: readonly TSchema[] = [
  ErrorSchema,
  StakingInfoSchema,
  StakingObjectSchema,
  StakingPartSchema,
  StakingControlSchema,
  StakingBalanceSchema,
  TxHashSchema,
  InspectedTransactionSchema,
  ValidUntilSchema,
  TransactionStatusSchema,
]

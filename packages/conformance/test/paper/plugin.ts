import {
  Amount,
  type Balance,
  type Condition,
  type Context,
  conditionOf,
  declareErrors,
  type Info,
  type KnownPosition,
  type Moved,
  membersOf,
  type NetworkBase,
  type Obstacle,
  protocol,
} from '@svc/contract'
import type { AnyProtocol } from '@svc/contract/host'
import { missingMethod } from '@svc/contract/requirements'
import { Type } from 'typebox'
import type { ConformanceOptions, WalletLife } from '../../src/index.ts'
import { type PaperRecord, paperScenario, whileClosed } from './chain.ts'
import { paperFamily } from './family.ts'
import * as intent from './intent.ts'
import { PaperAddress, type PaperClient, paper } from './kit.ts'

const { badRequest } = declareErrors({
  INSUFFICIENT_STAKE: [400, 'Insufficient stake.'],
  NOTHING_TO_WITHDRAW: [400, 'Nothing to withdraw.'],
  VALIDATOR_CLOSED: [400, 'The validator takes no stake.'],
})

/** Methods of the chain's only node that the plugin asks. */
const DESK = ['chain', 'epoch', 'fee', 'validator', 'takes', 'users', 'account', 'simulate', 'submit', 'landed', 'record', 'used'] as const

type Ctx = Context<PaperClient, { validator: string }>

const { defineAction, definePlugin } = protocol(paper, { validator: Type.String({ description: "The operator's validator." }) })

/** The one rule for crafts and for the condition. */
async function obstacle({ client }: Ctx): Promise<Obstacle | null> {
  const takes = await client.ask('takes', [], (it) => {
    if (it !== 'stake' && it !== 'nothing') throw new TypeError('the validator takes neither stake nor nothing')
    return it
  })
  return takes === 'stake' ? null : { state: 'paused', reason: 'takes no stake at present' }
}

const stake = defineAction({
  summary: 'Stake',
  body: { address: PaperAddress, amount: Amount() },
  obstacles: ['VALIDATOR_CLOSED'],
  async guard(ctx) {
    const why = await obstacle(ctx)
    if (why) throw badRequest('VALIDATOR_CLOSED', `The validator ${why.reason}.`)
  },
  craft: (_network: NetworkBase, { address, amount }) => ({ signer: address, calls: [{ method: 'stake', argument: `${amount}` }] }),
  effects: (network, input) => intent.stake.effects(network, input),
})

const unstake = defineAction({
  summary: 'Ask for stake back',
  body: { address: PaperAddress, amount: Amount() },
  async guard({ client }, { address, amount }) {
    if ((await client.account(address)).staked < amount) throw badRequest('INSUFFICIENT_STAKE', `${address} has less than this staked.`)
  },
  craft: (_network: NetworkBase, { address, amount }) => ({ signer: address, calls: [{ method: 'unstake', argument: `${amount}` }] }),
  effects: (network, input) => intent.unstake.effects(network, input),
})

const withdraw = defineAction({
  summary: 'Collect everything that has come back',
  body: { address: PaperAddress, urgent: Type.Optional(Type.Boolean({ description: 'Changes nothing.', examples: [true] })) },
  async read({ client }, { address }) {
    const [{ requests }, epoch] = await Promise.all([client.account(address), client.integer('epoch')])
    const ready = requests.filter(({ release }) => release <= epoch)
    if (ready.length === 0) throw badRequest('NOTHING_TO_WITHDRAW', `${address} has nothing that could be withdrawn.`)
    return ready.map(({ id }) => id)
  },
  craft: (_network: NetworkBase, { address }, ids) => ({
    signer: address,
    calls: ids.map((id) => ({ method: 'withdraw' as const, argument: `${id}` })),
  }),
  effects: (network, input, ids) => intent.withdraw.effects(network, input, { ids }),
})

type Account = Awaited<ReturnType<PaperClient['account']>>

/** Stake that begins to count moves from one place to another by itself, and is none the less there. */
function digestOf({ staked, pending, requests }: Account): string {
  return [staked + pending, ...requests.map(({ id }) => id)].join(' ')
}

async function digests({ client }: Ctx, positions: readonly KnownPosition[]): Promise<ReadonlyMap<string, string>> {
  return new Map(await Promise.all(positions.map(async ({ address }) => [address, digestOf(await client.account(address))] as const)))
}

async function balance({ client }: Ctx, address: string): Promise<Balance> {
  const [account, epoch] = await Promise.all([client.account(address), client.integer('epoch')])
  const { staked, pending, requests } = account
  const sum = (ready: boolean) => requests.reduce((total, { amount, release }) => (release <= epoch === ready ? total + amount : total), 0n)
  return {
    staked,
    activating: pending,
    deactivating: sum(false),
    withdrawing: sum(true),
    rewards: null,
    digest: digestOf(account),
    objects: requests.map(({ id, amount, release }) => ({
      id: `${id}`,
      type: 'withdrawal_request',
      status: release <= epoch ? 'withdrawable' : 'deactivating',
      amount,
      rewards: null,
      validator: null,
      activationEpoch: null,
      withdrawableEpoch: Number(release),
      withdrawableAt: null,
    })),
  }
}

async function info({ client }: Ctx): Promise<Info> {
  const [validator, users] = await Promise.all([
    client.ask('validator', [], (it) => it as { rate: number; fee: number }).catch(() => undefined),
    client.ask('users', [], (it) => it as number).catch(() => undefined),
  ])
  return {
    activationMinutes: 0,
    deactivationMinutes: 0,
    withdrawalMinutes: 0,
    withdrawalFeePercent: 0,
    maxSlashingPercent: 0,
    aprPercent: validator?.rate,
    apyPercent: validator?.rate,
    rewardFeePercent: validator?.fee,
    users,
    minStake: 1n,
    maxStake: null,
    tvl: null,
  }
}

async function condition(ctx: Ctx): Promise<readonly Condition[]> {
  return [conditionOf({ kind: 'validator', id: ctx.network.validator, commissionPercent: null }, await obstacle(ctx))]
}

const KINDS = { stake: 'staked', unstake: 'freed', withdraw: null } as const

function moved(_network: NetworkBase, { calls, made }: PaperRecord): Moved {
  const moves = calls.flatMap(({ method, argument }) => {
    const kind = KINDS[method]
    return kind === null ? [] : [{ kind, asset: 'native', amount: BigInt(argument) }]
  })
  return { moves, objectIds: made }
}

/** What the paper plugin declares, for a test to change. */
export const declaration = {
  name: '@svc/plugin-paper',
  prefix: '/paper/native',
  summary: 'Staking on paper.',
  maxFee: '1',
  symbol: 'PAPER',
  intent: intent.paperIntent,
  actions: { stake, unstake, withdraw },
  balance,
  info,
  condition,
  digests,
  moved,
  inspect: async () => undefined,
  requirements: [
    {
      name: 'the desk',
      weight: 'needed',
      calls: DESK,
      without: 'nothing works',
      setting: { name: 'a desk', standard: 'open', source: 'https://desk.example', read: '2026-11-24' },
      probe: (ctx) => missingMethod(ctx, Object.fromEntries(DESK.map((name) => [name, []]))),
    },
  ],
} as const satisfies Partial<AnyProtocol>

/** An account as the chain has it, in texts. */
async function accountOf({ rpcUrl, player }: WalletLife) {
  const body = JSON.stringify({ method: 'account', params: [player.wallet.address] })
  const { result } = membersOf(await (await fetch(rpcUrl, { method: 'POST', body })).json())
  return result as { staked: string; pending: string; requests: readonly { readonly amount: string }[] }
}

/** Everything that a conforming plugin's own test says. */
export const options: ConformanceOptions = {
  plugin: definePlugin(declaration),
  scenario: paperScenario,
  family: paperFamily,
  patience: 250,
  budget: { craft: { withdraw: 2 } },
  former: { leaving: ['unstake'], change: async () => ({ settings: { validator: 'p1000000fe' }, former: {} }) },
  condition: { action: 'stake', idle: [{ state: 'paused', code: 'VALIDATOR_CLOSED', during: whileClosed }] },
  moves: {
    acts: [
      { name: 'stakes', action: 'stake', body: async ({ random }) => ({ amount: 1 + random(100_000) / 1_000_000 }) },
      {
        name: 'asks for all of it back',
        action: 'unstake',
        async body(life) {
          const { staked } = await accountOf(life)
          if (staked === '0') throw new RangeError('nothing is staked')
          return { amount: Number(staked) / 1_000_000 }
        },
      },
      { name: 'collects what has come back', action: 'withdraw', body: async () => ({}) },
    ],
    events: [
      { name: 'an epoch passes', run: ({ player }) => player.advance({ epochs: 1 }) },
      { name: 'somebody sends it paper', run: ({ player }) => player.fund('1') },
    ],
    async book(life) {
      const { staked, pending, requests } = await accountOf(life)
      const requested = requests.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      return { holds: {}, staked: BigInt(staked) + BigInt(pending), freed: requested }
    },
    fee: async () => 0n,
  },
  examples: {
    stake: { body: { amount: 1.5 } },
    unstake: {
      async setup(player) {
        await player.act('stake', { amount: 3 })
        await player.advance({ epochs: 1 })
      },
      body: { amount: 2 },
    },
    withdraw: {
      async setup(player) {
        await player.act('stake', { amount: 3 })
        await player.advance({ epochs: 1 })
        await player.act('unstake', { amount: 1 })
        await player.act('unstake', { amount: 2 })
        await player.advance({ epochs: 1 })
      },
      body: { urgent: true },
    },
  },
  journeys: [
    {
      name: 'stake goes in and comes back',
      async run(player) {
        await player.act('stake', { amount: 1.000001 })
        await player.expect('it waits', { staked: '0', activating: '1.000001' })
        await player.advance({ epochs: 1 })
        await player.expect('it is staked', { staked: '1.000001', activating: '0', objects: [] })
        await player.act('unstake', { amount: 1.000001 })
        await player.expect('it is on its way', {
          staked: '0',
          deactivating: '1.000001',
          objects: [{ status: 'deactivating', amount: '1.000001' }],
        })
        await player.advance({ epochs: 1 })
        await player.act('withdraw')
        await player.expect('it is back', { staked: '0', withdrawing: '0', objects: [] })
      },
    },
    {
      name: 'with a validator that takes none nothing is staked',
      run: (player) => whileClosed(() => player.refused('stake', { amount: 1 }, 'VALIDATOR_CLOSED')),
    },
  ],
  refusals: [
    { name: 'nothing is staked', action: 'unstake', body: { amount: 1 }, code: 'INSUFFICIENT_STAKE' },
    { name: 'nothing has come back', action: 'withdraw', code: 'NOTHING_TO_WITHDRAW' },
    { name: 'more than there is', action: 'stake', body: { amount: 200_000 }, code: 'CHAIN_WOULD_REFUSE' },
  ],
}

export { type Ctx, defineAction, definePlugin }

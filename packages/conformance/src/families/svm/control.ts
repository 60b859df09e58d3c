import { itemsOf, membersOf } from '@svc/contract'
import type { ForeignChange, ForeignStage, PowerLie } from '../../control/options.ts'
import type { Player } from '../../player.ts'
import { present } from '../../present.ts'
import { rpc } from '../json-rpc/call.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { CLOCK, STAKE, SYSTEM, THIEF, u32, u64 } from './parts.ts'
import { acts, keyOfWallet, rewritten } from './past-service.ts'
import { assigned } from './token-control.ts'
import { type AccountUse, type Instruction, type KeyPair, keyPair } from './wire.ts'

// Instructions of the stake program, by their numbers and accounts:
// https://docs.rs/solana-stake-interface/latest/solana_stake_interface/instruction/enum.StakeInstruction.html (read 2026-11-29)

const AUTHORIZE = 1
const INITIALIZE = 0
const SPLIT = 3
const WITHDRAW = 4
const DEACTIVATE = 5
const SET_LOCKUP = 6
const MERGE = 7
/** Authorities of Authorize. */
const STAKER = 0
const WITHDRAWER = 1
/** Size of a stake account, in bytes. */
const SPACE = 200n
/** Place of the staker in a stake account's data, and of the withdrawer behind it. */
const STAKER_AT = 12
const RENT = present(keyOf('SysvarRent111111111111111111111111111111111') ?? undefined, 'an address')
const HISTORY = present(keyOf('SysvarStakeHistory1111111111111111111111111') ?? undefined, 'an address')
const CREATE_ACCOUNT = 0
/** Seconds since 1970 of the first day of 2100 and of 2101. */
const YEAR_2100 = 4_102_444_800n
const YEAR_2101 = 4_133_980_800n
/** Epochs in which a stake has cooled down, also where it was deactivated in the epoch in which it was made active. */
const COOLING_EPOCHS = 2

const reads = (key: Buffer): AccountUse => ({ key, signer: false, writable: false })
const writes = (key: Buffer): AccountUse => ({ key, signer: false, writable: true })
const signs = (key: Buffer): AccountUse => ({ key, signer: true, writable: false })

/** Changes that others make to the stake accounts of a wallet, each on the first account of its position. */
export const stakeChanges: readonly ForeignChange[] = [
  assigned,
  {
    name: 'its staker becomes somebody else',
    play: (stage) => acts(stage, stage.player, [authorize(stage, firstOf(stage), STAKER)]),
    soon: true,
    told: ['position.control_changed staker'],
  },
  {
    name: 'its withdrawer becomes somebody else',
    play: (stage) => acts(stage, stage.player, [authorize(stage, firstOf(stage), WITHDRAWER)]),
    soon: true,
    told: ['position.control_changed withdrawer', 'position.lost authority'],
  },
  {
    name: 'its staker and its withdrawer become somebody else',
    async play(stage) {
      const account = firstOf(stage)
      await acts(stage, stage.player, [authorize(stage, account, STAKER), authorize(stage, account, WITHDRAWER)])
    },
    soon: true,
    told: ['position.control_changed staker', 'position.control_changed withdrawer', 'position.lost authority'],
  },
  {
    name: 'it is locked until 2100, with somebody else as custodian',
    play: (stage) => acts(stage, stage.player, [lock(stage, stage.player, YEAR_2100)]),
    soon: true,
    told: ['position.control_changed lockup'],
  },
  {
    name: 'its custodian locks it for longer',
    before: (stage) => acts(stage, stage.player, [lock(stage, stage.player, YEAR_2100)]),
    play: (stage) => acts(stage, stage.stranger, [lock(stage, stage.stranger, YEAR_2101)]),
    soon: true,
    told: ['position.control_changed lockup'],
  },
  {
    name: 'a third of it is split off and given to somebody else',
    async play(stage) {
      const account = firstOf(stage)
      const part = keyPair(`part of ${base58(account)}`)
      await split(stage, account, part, (await lamportsOf(stage, account)) / 3n)
      await acts(stage, stage.player, [authorize(stage, part.publicKey, STAKER), authorize(stage, part.publicKey, WITHDRAWER)])
    },
    soon: true,
    told: ['position.lost split'],
  },
  {
    name: 'it is deactivated, and withdrawn whole to somebody else',
    async play(stage) {
      const account = firstOf(stage)
      const { publicKey } = keyOfWallet(stage.player)
      await acts(stage, stage.player, [
        { program: STAKE, accounts: [writes(account), reads(CLOCK), signs(publicKey)], data: u32(DEACTIVATE) },
      ])
      await stage.player.advance({ epochs: COOLING_EPOCHS })
      const all = await lamportsOf(stage, account)
      const accounts = [writes(account), writes(keyOfWallet(stage.stranger).publicKey), reads(CLOCK), reads(HISTORY), signs(publicKey)]
      await acts(stage, stage.player, [{ program: STAKE, accounts, data: Buffer.concat([u32(WITHDRAW), u64(all)]) }])
    },
    soon: true,
    told: ['position.lost gone'],
  },
  {
    name: 'its owner splits it into two of his own',
    play: (stage) => halve(stage),
    told: ['position.moved'],
    ordinary: true,
  },
  {
    name: 'its owner merges two of his own',
    before: (stage) => halve(stage),
    async play(stage) {
      const [into, from] = accountsOf(stage)
      const accounts = [
        writes(present(into, 'an account')),
        writes(present(from, 'a second account')),
        reads(CLOCK),
        reads(HISTORY),
        signs(keyOfWallet(stage.player).publicKey),
      ]
      await acts(stage, stage.player, [{ program: STAKE, accounts, data: u32(MERGE) }])
    },
    told: ['position.moved'],
    ordinary: true,
  },
  {
    name: 'its owner deactivates and withdraws it by the service',
    async play({ followed, position }) {
      const stake_account_address = present(position.objects?.[0], 'a stake account').id
      await followed.act('unstake', { stake_account_address })
      await followed.advance({ epochs: COOLING_EPOCHS })
      await followed.act('withdraw', { stake_account_address })
    },
    told: [],
    ordinary: true,
  },
  {
    name: 'three epochs pay rewards',
    play: async ({ player }) => void (await player.advance({ epochs: 3 })),
    told: [],
    ordinary: true,
  },
  {
    name: 'a stranger gives it an account of dust',
    async play(stage) {
      const gift = keyPair(`gift to ${stage.player.wallet.address}`)
      const { publicKey } = keyOfWallet(stage.stranger)
      const owner = keyOfWallet(stage.player).publicKey
      const nobody = Buffer.alloc(32)
      const lockup = Buffer.concat([u64(0n), u64(0n), nobody])
      const data = Buffer.concat([u32(INITIALIZE), owner, owner, lockup])
      await acts(
        stage,
        stage.stranger,
        [await create(stage, publicKey, gift), { program: STAKE, accounts: [writes(gift.publicKey), reads(RENT)], data }],
        [gift],
      )
    },
    told: [],
    ordinary: true,
  },
]

/** Lies about stake accounts, in the answers of searches and lookups alike. */
export const stakeLies: readonly PowerLie[] = [
  { name: 'somebody else is the staker of each account', answer: (_question, answer) => thievish(answer, STAKER_AT) },
  { name: 'there are no accounts', answer: (question, answer) => (isSearch(question) ? emptied(answer) : answer) },
]

/** Halves the first account of the position, both halves the wallet's. */
async function halve(stage: ForeignStage): Promise<void> {
  const account = firstOf(stage)
  await split(stage, account, keyPair(`half of ${base58(account)}`), (await lamportsOf(stage, account)) / 2n)
}

async function split(stage: ForeignStage, account: Buffer, part: KeyPair, lamports: bigint): Promise<void> {
  const { publicKey } = keyOfWallet(stage.player)
  const accounts = [writes(account), writes(part.publicKey), signs(publicKey)]
  const instruction = { program: STAKE, accounts, data: Buffer.concat([u32(SPLIT), u64(lamports)]) }
  await acts(stage, stage.player, [await create(stage, publicKey, part), instruction], [part])
}

/** Makes a stake account that holds its rent. */
async function create({ rpcUrl }: ForeignStage, payer: Buffer, account: KeyPair): Promise<Instruction> {
  const rent = BigInt(Number(await rpc(rpcUrl, 'getMinimumBalanceForRentExemption', [Number(SPACE)])))
  return {
    program: SYSTEM,
    accounts: [
      { key: payer, signer: true, writable: true },
      { key: account.publicKey, signer: true, writable: true },
    ],
    data: Buffer.concat([u32(CREATE_ACCOUNT), u64(rent), u64(SPACE), STAKE]),
  }
}

function authorize({ player }: ForeignStage, account: Buffer, which: typeof STAKER | typeof WITHDRAWER): Instruction {
  const accounts = [writes(account), reads(CLOCK), signs(keyOfWallet(player).publicKey)]
  return { program: STAKE, accounts, data: Buffer.concat([u32(AUTHORIZE), THIEF, u32(which)]) }
}

/** Sets the end of a lockup and its custodian. The fields are optional: one byte says whether each is there. */
function lock(stage: ForeignStage, by: Player, until: bigint): Instruction {
  const custodian = keyOfWallet(stage.stranger).publicKey
  const data = Buffer.concat([u32(SET_LOCKUP), Buffer.from([1]), u64(until), Buffer.from([0, 1]), custodian])
  return { program: STAKE, accounts: [writes(firstOf(stage)), signs(keyOfWallet(by).publicKey)], data }
}

function accountsOf({ position }: ForeignStage): readonly Buffer[] {
  return (position.objects ?? []).map(({ id }) => present(keyOf(id) ?? undefined, 'the address of an account'))
}

function firstOf(stage: ForeignStage): Buffer {
  return present(accountsOf(stage)[0], 'a stake account')
}

async function lamportsOf({ rpcUrl }: ForeignStage, account: Buffer): Promise<bigint> {
  return BigInt(Number(membersOf(await rpc(rpcUrl, 'getBalance', [base58(account)])).value))
}

function isSearch(question: string): boolean {
  return itemsOf(JSON.parse(question))[0] === 'getProgramAccounts'
}

/** An answer whose search has found nothing. */
function emptied(answer: string): string {
  const parsed = membersOf(JSON.parse(answer))
  return JSON.stringify({ ...parsed, result: { ...membersOf(parsed.result), value: [] } })
}

/** An answer in which each stake account has the thief at a place of its data. */
function thievish(answer: string, at: number): string {
  // A slice of the search begins at the staker.
  return rewritten(answer, STAKE, (data) => void THIEF.copy(data, data.length === Number(SPACE) ? at : 0))
}

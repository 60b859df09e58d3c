import { itemsOf, membersOf } from '@svc/contract'
import type { ForeignChange, ForeignStage, PowerLie } from '../../control/options.ts'
import { present } from '../../present.ts'
import { rpc } from '../json-rpc/call.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { SYSTEM, THIEF, TOKEN, u32, u64 } from './parts.ts'
import { acts, keyOfWallet, rewritten } from './past-service.ts'
import type { AccountUse } from './wire.ts'

// Instructions of the token and System programs, by their numbers, and their accounts:
// https://docs.rs/spl-token/latest/spl_token/instruction/enum.TokenInstruction.html,
// https://docs.rs/solana-system-interface/latest/solana_system_interface/instruction/enum.SystemInstruction.html (read 2026-11-29)

const TRANSFER = 3
const APPROVE = 4
const REVOKE = 5
const SET_AUTHORITY = 6
const ASSIGN = 1
/** Authorities of SetAuthority. */
const ACCOUNT_OWNER = 2
const CLOSE_ACCOUNT = 3
const MOST = 2n ** 64n - 1n

/** Places in a token account, in bytes: its owner, the tag and key of its delegate, and its number of tokens. */
const PLACE = { owner: 32, delegate: 72, delegated: 121, bytes: 165 } as const

const writes = (key: Buffer): AccountUse => ({ key, signer: false, writable: true })
const reads = (key: Buffer): AccountUse => ({ key, signer: false, writable: false })
const signs = (key: Buffer): AccountUse => ({ key, signer: true, writable: false })

/** The wallet's own account is assigned to a program. */
export const assigned: ForeignChange = {
  name: "the wallet's own account is assigned to a program",
  async play(stage) {
    const accounts = [{ key: keyOfWallet(stage.player).publicKey, signer: true, writable: true }]
    await acts(stage, stage.player, [{ program: SYSTEM, accounts, data: Buffer.concat([u32(ASSIGN), THIEF]) }])
  },
  told: ['position.control_changed wallet_owner'],
}

/** Changes that others make to the token account of a wallet. */
export const tokenChanges: readonly ForeignChange[] = [
  {
    name: 'somebody is approved without a limit',
    play: (stage) => approves(stage, MOST),
    told: ['position.control_changed delegate'],
  },
  {
    name: 'a program is approved a half of it',
    play: async (stage) => approves(stage, (await tokensOf(stage)) / 2n),
    told: ['position.control_changed delegate'],
    ordinary: true,
  },
  {
    name: 'an approval is revoked',
    before: (stage) => approves(stage, MOST),
    play: (stage) => gives(stage, Buffer.of(REVOKE)),
    told: ['position.control_changed delegate'],
  },
  {
    name: 'its token account becomes somebody else’s',
    play: (stage) => gives(stage, Buffer.of(SET_AUTHORITY, ACCOUNT_OWNER, 1, ...THIEF)),
    told: ['position.control_changed owner', 'position.lost authority'],
  },
  {
    name: 'somebody else may close its token account',
    play: (stage) => gives(stage, Buffer.of(SET_AUTHORITY, CLOSE_ACCOUNT, 1, ...THIEF)),
    told: ['position.control_changed close_authority'],
  },
  assigned,
  {
    name: 'its owner sends a half of his tokens to somebody else',
    before: (stage) => stakes(stage),
    async play(stage) {
      const { publicKey } = keyOfWallet(stage.player)
      const accounts = [writes(await accountOf(stage)), writes(await accountOf({ ...stage, player: stage.stranger })), signs(publicKey)]
      const data = Buffer.concat([Buffer.of(TRANSFER), u64((await tokensOf(stage)) / 2n)])
      await acts(stage, stage.player, [{ program: TOKEN, accounts, data }])
    },
    told: [],
    ordinary: true,
  },
  {
    name: 'its owner withdraws by the service',
    play: async ({ followed }) => void (await followed.act('unstake', { amount: 1 })),
    told: [],
    ordinary: true,
  },
  { name: 'three epochs pay rewards', play: async ({ player }) => void (await player.advance({ epochs: 3 })), told: [], ordinary: true },
]

/** Lies about token accounts and wallets. */
export const tokenLies: readonly PowerLie[] = [
  {
    name: 'somebody else owns the token account',
    answer: (_question, answer) => altered(answer, (data, at) => THIEF.copy(data, at(PLACE.owner))),
  },
  {
    name: 'somebody is approved without a limit',
    answer: (_question, answer) =>
      altered(answer, (data, at) => {
        data.writeUInt32LE(1, at(PLACE.delegate))
        THIEF.copy(data, at(PLACE.delegate) + 4)
        data.writeBigUInt64LE(MOST, at(PLACE.delegated))
      }),
  },
]

async function stakes({ stranger }: ForeignStage): Promise<void> {
  await stranger.act('stake', { amount: 1 })
}

async function approves(stage: ForeignStage, tokens: bigint): Promise<void> {
  await gives(stage, Buffer.concat([Buffer.of(APPROVE), u64(tokens)]), THIEF)
}

/** Has the wallet give an instruction on its token account. @param others keys that it names behind the account */
async function gives(stage: ForeignStage, data: Buffer, ...others: readonly Buffer[]): Promise<void> {
  const { publicKey } = keyOfWallet(stage.player)
  const accounts = [writes(await accountOf(stage)), ...others.map(reads), signs(publicKey)]
  await acts(stage, stage.player, [{ program: TOKEN, accounts, data }])
}

/** The token account of a wallet, which has one. */
async function accountOf(stage: Pick<ForeignStage, 'rpcUrl' | 'player'>): Promise<Buffer> {
  return present(keyOf((await rowOf(stage)).pubkey) ?? undefined, 'the address of a token account')
}

async function tokensOf(stage: ForeignStage): Promise<bigint> {
  const { data } = membersOf((await rowOf(stage)).account)
  return Buffer.from(String(itemsOf(data)[0]), 'base64').readBigUInt64LE(64)
}

async function rowOf({ rpcUrl, player }: Pick<ForeignStage, 'rpcUrl' | 'player'>) {
  const params = [player.wallet.address, { programId: base58(TOKEN) }, { encoding: 'base64' }]
  const { value } = membersOf(await rpc(rpcUrl, 'getTokenAccountsByOwner', params))
  return membersOf(present(itemsOf(value)[0], 'a token account'))
}

/** An answer in which each token account is another one, whole or from its owner on. */
function altered(answer: string, change: (data: Buffer, at: (place: number) => number) => void): string {
  return rewritten(answer, TOKEN, (data) => {
    const offset = data.length === PLACE.bytes ? 0 : PLACE.owner
    if (data.length === PLACE.bytes || data.length === PLACE.bytes - PLACE.owner) change(data, (place) => place - offset)
  })
}

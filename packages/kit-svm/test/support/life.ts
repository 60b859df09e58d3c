import type { Facts, Subject } from '@svc/contract'
import { svm } from '../../src/index.ts'
import { account, connect, NOW, nodeOf, type Table } from './node.ts'
import { pair, vector } from './vectors.ts'

export const life = svm.life!
export const SLOT = 1_000_000
export const HEIGHT = 900_000
export const SYSTEM = '11111111111111111111111111111111'

export const unstake = vector('unstake')
export const signed = `01${unstake.walletSignature}${unstake.unsigned.slice(2 + 128)}`
export const bounds = life.bounds({ signed_tx_hex: signed }, {} as never)
export const subject = (keep: Facts | null = null, more: Partial<Subject> = {}): Subject => {
  return { txHash: unstake.hash, bounds, keep, firstSeen: NOW, accepted: true, ...more }
}

export const at = (slot: number, value: unknown) => ({ context: { slot }, value })
export const status = (more = {}) =>
  at(SLOT, [{ slot: SLOT - 50, confirmations: null, err: null, confirmationStatus: 'finalized', ...more }])
export const execution = (more: object = {}, meta: object = {}) => ({
  slot: SLOT - 50,
  blockTime: 1_795_000_000,
  version: 'legacy',
  transaction: [Buffer.from(signed, 'hex').toString('base64'), 'base64'],
  meta: { err: null, fee: 5020, preBalances: [9_000_000, 8, 1, 1, 1], postBalances: [8_994_980, 8, 1, 1, 1], logMessages: [], ...meta },
  ...more,
})
/** The stake account of the transaction, and the epoch of its block. */
export const STAKE = pair(2).publicKey.toBase58()
export const EPOCH = 2n
/** The stake account as it is read later. */
export function stakeAccount({ lamports = 8, stake = 7n, activation = 1n, deactivation = EPOCH, state = 2, bytes = 200 } = {}) {
  const data = Buffer.alloc(bytes)
  data.writeUInt32LE(state)
  data.writeBigUInt64LE(stake, 156)
  data.writeBigUInt64LE(activation, 164)
  data.writeBigUInt64LE(deactivation, 172)
  return account(lamports, 'Stake11111111111111111111111111111111111111', data)
}
/** Epochs by slot, as a node answers the account of them. */
export function schedule({
  slots = 432_000n,
  firstEpoch = 0n,
  firstSlot = 0n,
  bytes = 33,
  owner = 'Sysvar1111111111111111111111111111111111111',
} = {}) {
  const data = Buffer.alloc(33)
  data.writeBigUInt64LE(slots, 0)
  data.writeBigUInt64LE(firstEpoch, 17)
  data.writeBigUInt64LE(firstSlot, 25)
  return account(1_120_560, owner, data.subarray(0, bytes))
}
/** The transaction, as a node lists it among those of its accounts. */
export const listed = { signature: unstake.hash, slot: SLOT - 50, err: null }
/** A node whose final block is 32 behind its newest one, and which knows the transaction as final. */
export const honest = {
  getEpochInfo: ([{ commitment }]: [{ commitment: string }]) => {
    const back = commitment === 'finalized' ? 32 : 0
    return { absoluteSlot: SLOT - back, blockHeight: HEIGHT - back }
  },
  isBlockhashValid: at(SLOT, true),
  getSignatureStatuses: status(),
  getTransaction: execution(),
  getMultipleAccounts: at(SLOT, [stakeAccount(), schedule()]),
  getSignaturesForAddress: [listed],
  getFirstAvailableBlock: 0,
}
export const unknown = { getSignatureStatuses: at(SLOT, [null]), isBlockhashValid: at(SLOT, false), getTransaction: null }
export const lookAt = (table: Table, of = subject()) => life.look(connect(nodeOf({ ...honest, ...table })), of)

import type { Facts, Subject } from '@svc/contract'
import { svm } from '../../src/index.ts'
import { connect, NOW, nodeOf, type Table } from './node.ts'
import { vector } from './vectors.ts'

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
/** A node whose final block is 32 behind its newest one, and which knows the transaction as final. */
export const honest = {
  getEpochInfo: ([{ commitment }]: [{ commitment: string }]) => {
    const back = commitment === 'finalized' ? 32 : 0
    return { absoluteSlot: SLOT - back, blockHeight: HEIGHT - back }
  },
  isBlockhashValid: at(SLOT, true),
  getSignatureStatuses: status(),
  getTransaction: execution(),
  getMinimumBalanceForRentExemption: ([space]: [number]) => (128 + space) * 6960,
  getFirstAvailableBlock: 0,
}
export const unknown = { getSignatureStatuses: at(SLOT, [null]), isBlockhashValid: at(SLOT, false), getTransaction: null }
export const lookAt = (table: Table, of = subject()) => life.look(connect(nodeOf({ ...honest, ...table })), of)

import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import type { MoveCraft } from '@svc/verify/move'
import type { Family } from '../../family.ts'
import { awaitLanding } from '../../landing.ts'
import { foreignAddresses } from '../shared/foreign.ts'
import { badPrepares, garble } from './faults.ts'
import { fieldForgeries, forgeries } from './forgeries.ts'
import { blake2b256 } from './hash.ts'
import { hiddenCommands, walletChanges } from './hidden.ts'
import { liar } from './lies.ts'
import { moveScenes } from './life.ts'
import { signedForm } from './signed.ts'
import { type MoveWallet, outcomeOf, signatureOf } from './wallet.ts'

export { stakedSuiChanges, stakedSuiLies } from './control.ts'
export type { MoveWallet } from './wallet.ts'

/** Flag of Ed25519, before keys in addresses. */
const ED25519 = Uint8Array.of(0)
/** PKCS#8 of an Ed25519 key up to the seed. @see https://www.rfc-editor.org/rfc/rfc8410 section 7 (read 2026-11-21) */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Driver of the Move family: BCS, Ed25519, gRPC-web. It shares no code with the kit, nor its library. On a scenario of `testnet` use
 * `{ ...moveFamily, otherChainId: 'mainnet' }`.
 */
export const moveFamily: Family<MoveCraft, MoveWallet> = {
  family: 'move',
  otherChainId: 'testnet',
  ageSetting: 'max_checkpoint_age',
  wallet(index) {
    const seed = createHash('sha256').update(`conformance wallet ${index}`).digest()
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' })
    const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
    const address = `0x${Buffer.from(blake2b256(ED25519, publicKey)).toString('hex')}`
    return { address, signer: address, key, publicKey }
  },
  async sign(unsigned, wallet) {
    return { ...unsigned, signatures: [signatureOf(Buffer.from(unsigned.unsigned_tx_b64, 'base64'), wallet)] }
  },
  landed: (rpcUrl, hash) => awaitLanding(hash, () => outcomeOf(rpcUrl, hash)),
  spellings: (address) => [`0x${address.slice(2).toUpperCase()}`],
  malformedAddresses: [
    '0x',
    '0x5',
    '11'.repeat(32),
    `0x${'1'.repeat(63)}`,
    `0x${'1'.repeat(65)}`,
    `0X${'11'.repeat(32)}`,
    `0x${'1g'.repeat(32)}`,
    ` 0x${'11'.repeat(32)}`,
    `0x${'11'.repeat(32)}::sui::SUI`,
    ...foreignAddresses('move'),
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries: (unsigned) => forgeries(unsigned),
  hidden: hiddenCommands,
  additions: walletChanges,
  signed: signedForm,
  thefts: ['call', 'validator', 'amount', 'fee', 'recipient', 'customer'],
  garble,
  liar,
  life: moveScenes(),
}

import type { EvmCraft } from '@svc/verify/evm'
import { computeAddress, keccak256, SigningKey, toUtf8Bytes } from 'ethers'
import type { Family } from '../../family.ts'
import { foreignAddresses } from '../shared/foreign.ts'
import { badPrepares, garble } from './faults.ts'
import { fieldForgeries, forgeries } from './forgeries.ts'
import { hiddenCalls, walletChanges } from './hidden.ts'
import { landed } from './landed.ts'
import { liar } from './lies.ts'
import { evmScenes } from './life.ts'
import { signedForm } from './signed.ts'
import type { EvmWallet } from './wallet.ts'

export { delegationLies, delegations, ordinaryChanges } from './control.ts'
export type { EvmWallet }

/** Driver of the EVM family: legacy transactions, secp256k1, JSON-RPC. */
export const evmFamily: Family<EvmCraft, EvmWallet> = {
  family: 'evm',
  otherChainId: '999999937',
  wallet(index) {
    const key = new SigningKey(keccak256(toUtf8Bytes(`conformance wallet ${index}`)))
    const address = computeAddress(key)
    return { address, signer: address, key }
  },
  async sign(unsigned, { key }) {
    const { r, s, v } = key.sign(unsigned.unsigned_tx_hash_hex)
    return { ...unsigned, r, s, v }
  },
  landed,
  spellings: (address) => [address.toLowerCase(), `0x${address.slice(2).toUpperCase()}`],
  malformedAddresses: [
    '0x',
    '0x1234',
    'staker.eth',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2Aa',
    '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2G',
    '19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    // A digit's case was changed, so that the EIP-55 checksum is wrong.
    '0x19e7E376E7C213B7E7e7e46cc70A5dD086DAff2A',
    ...foreignAddresses('evm'),
  ],
  badPrepares,
  fields: fieldForgeries,
  forgeries,
  hidden: hiddenCalls,
  additions: walletChanges,
  signed: signedForm,
  thefts: ['call', 'validator', 'amount', 'fee'],
  garble,
  liar,
  life: evmScenes,
}

import type { Family } from '@svc/conformance'
import { awaitLanding, foreignAddresses, rpc } from '@svc/conformance/json-rpc'
import { membersOf } from '@svc/contract'
import { badPrepares, garble } from './faults.ts'
import { fields, forgeries } from './forgeries.ts'
import { liar } from './lies.ts'
import { scenes } from './scenes.ts'
import { type Craft, keyPair, type NearTestWallet, read, signatureOf } from './wire.ts'

/** Who signed a transaction, by its hash. */
const signers = new Map<string, string>()

function signerOf(hash: string): string {
  const signer = signers.get(hash)
  if (signer === undefined) throw new TypeError(`nobody here has signed ${hash}`)
  return signer
}

/** Driver of the NEAR family. It shares no code with the kit, nor with the reader. */
export const nearFamily: Family<Craft, NearTestWallet> = {
  family: 'near',
  otherChainId: 'testnet',
  wallet(index) {
    const { key, publicKey } = keyPair(`conformance wallet ${index}`)
    const address = publicKey.toString('hex')
    return { address, signer: address, key }
  },
  async sign(unsigned, { key }) {
    const { unsigned_tx_hex, tx_hash } = unsigned
    signers.set(tx_hash, read(unsigned_tx_hex).signer)
    return { unsigned_tx_hex, signature_hex: signatureOf(Buffer.from(unsigned_tx_hex, 'hex'), key) }
  },
  landed: (rpcUrl, hash) =>
    awaitLanding(hash, async () => {
      const asked = { tx_hash: hash, sender_account_id: signerOf(hash), wait_until: 'NONE' }
      const result = await rpc(rpcUrl, 'tx', asked).catch(() => null)
      const { status, final_execution_status } = membersOf(result)
      if (final_execution_status !== 'FINAL') return null
      const { Failure } = membersOf(status)
      return Failure === undefined ? 'landed' : { failed: `failed: ${JSON.stringify(Failure)}` }
    }),
  // An account id has one spelling.
  spellings: () => [],
  malformedAddresses: [
    'a',
    'alice',
    'Alice.near',
    '.near',
    'near.',
    'a..near',
    'a-.near',
    'a--b.near',
    'a_.near',
    'alice.near ',
    ' alice.near',
    'ali ce.near',
    'älice.near',
    `${'a'.repeat(60)}.near`,
    '11'.repeat(31),
    '11'.repeat(33),
    'AB'.repeat(32),
    `0x${'11'.repeat(20)}`,
    `0s${'11'.repeat(20)}`,
    'ed25519:3Bmy2y8WtbRXNBYayR64kYqXN1XRi6Hqch6FwKFxmSWH',
    ...foreignAddresses('near'),
  ],
  badPrepares,
  fields,
  forgeries,
  thefts: ['call', 'validator', 'amount', 'fee', 'customer'],
  garble,
  liar,
  life: scenes(signerOf),
}

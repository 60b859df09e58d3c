import type { ToSign } from '@svc/client'
import { cosmjsSigner, rawSigner, suiKeypair } from '@svc/client/signers'
import { serializeSignature } from '@svc/verify/move'
import t from 'tap'
import { hub } from './support/answers.ts'

const payload = Uint8Array.of(1, 2, 3)
const request = (change: Partial<ToSign> = {}): ToSign => ({
  ...{ algorithm: 'ed25519', signer: 'it', payload, answer: { unsigned_tx_b64: 'AAEC' }, chainId: 'mainnet', stated: {} },
  ...change,
})

t.test('a signature of Ed25519 travels with its key on Sui alone, and only where it is one', async (t) => {
  const publicKey = new Uint8Array(32).fill(7)
  const signature = new Uint8Array(64).fill(9)
  const sign = (given: Awaited<ReturnType<Parameters<typeof rawSigner>[0]['sign']>>, change?: Partial<ToSign>, key?: Uint8Array) =>
    rawSigner({ sign: async () => given, ...(key && { publicKey: key }) }).sign(request(change))
  t.same(await sign(signature, {}, publicKey), serializeSignature(signature, publicKey))
  for (const [what, given, change, key] of [
    ['without a key', signature, {}, undefined],
    ['of another length', new Uint8Array(65), {}, publicKey],
    ['as text', 'ab'.repeat(64), {}, publicKey],
    ['by names', { r: '0x1', s: '0x2' }, {}, publicKey],
    ['of another curve', signature, { algorithm: 'secp256k1' }, publicKey],
    ['of another family', signature, { answer: { unsigned_tx_hex: '00' } }, publicKey],
    ['of no answer', signature, { answer: null }, publicKey],
  ] as const)
    t.equal(await sign(given, change, key), given, what)
  const seen: unknown[] = []
  await rawSigner({
    async sign(...given) {
      seen.push(...given)
      return signature
    },
  }).sign(request())
  t.same(seen, [payload, request()], 'it gets what is to be signed, and what that is')
  t.throws(() => rawSigner({ sign: async () => signature, publickey: publicKey } as never), { name: 'SetupError', message: /publickey/ })
})

t.test('a direct signer of cosmjs gets the document that was crafted, with the number of the account', async (t) => {
  for (const [stated, accountNumber] of [
    [{ 'x-account-number': '12345' }, 12_345n],
    [{}, 0n],
  ] as const) {
    const seen: unknown[] = []
    const signer = cosmjsSigner(
      {
        async signDirect(address, document) {
          seen.push(address, { ...document, bodyBytes: document.bodyBytes.length > 0, authInfoBytes: hexOf(document.authInfoBytes) })
          return { signed: document, signature: { signature: Buffer.alloc(64, 7).toString('base64') } }
        },
      },
      'cosmos1it',
    )
    const given = await signer.sign(request({ answer: hub.craft, chainId: 'cosmoshub-4', stated }))
    t.same(given, { signedTx: `${hub.craft.unsigned_tx_hex}1a40${'07'.repeat(64)}` })
    t.same(seen, ['cosmos1it', { bodyBytes: true, authInfoBytes: hub.craft.tx_auth_info_hex, chainId: 'cosmoshub-4', accountNumber }])
  }
})

t.test('a key pair of Sui signs the transaction that was crafted', async (t) => {
  const seen: Uint8Array[] = []
  const signer = suiKeypair({
    async signTransaction(bytes) {
      seen.push(bytes)
      return { signature: 'c2lnbmVk' }
    },
  })
  t.equal(await signer.sign(request()), 'c2lnbmVk')
  t.same(seen, [Uint8Array.of(0, 1, 2)])
})

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}

import { createClient, VerifiedTransaction } from '@svc/client'
import { svmNative } from '@svc/intent-svm-native'
import { signedAnswer } from '@svc/testing/signed-answers'
import t from 'tap'
import { ownedTrust } from '../support/owned.ts'
import { sandbox } from '../support/service.ts'

const trust = await ownedTrust()
const [, , , { address: wallet_address }] = sandbox.wallets.svm as [unknown, unknown, unknown, { address: string }]

/** What the client makes of a stake whose bytes a thief has changed, and signed as the service. */
async function crafted(change: (bytes: Buffer) => void): Promise<unknown> {
  const between: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    const { unsigned_tx_hex } = (await answer.json()) as { readonly unsigned_tx_hex: string }
    const bytes = Buffer.from(unsigned_tx_hex, 'hex')
    change(bytes)
    return signedAnswer(String(url), new Headers(init?.headers), 200, JSON.stringify({ unsigned_tx_hex: bytes.toString('hex') }))
  }
  const { solana } = createClient({ trust, apiKey: sandbox.apiKey, protocols: { solana: svmNative }, fetch: between, retries: 0 })
  return solana.stake({ wallet_address, amount: '2' }).catch((error: unknown) => error)
}

t.test('the signature of a new account is checked before anybody signs beside it', async (t) => {
  t.ok((await crafted(() => undefined)) instanceof VerifiedTransaction, 'the honest one is taken')
  // One byte for the number of signatures, 64 of the wallet's, which is to come, and 64 of the new account's.
  for (const at of [65, 96, 97, 128]) {
    const found = await crafted((bytes) => {
      bytes[at] = (bytes[at] ?? 0) ^ 1
    })
    t.match(found, {
      name: 'MismatchError',
      message:
        /^The transaction cannot land, so it is not signed: signatures\[1\] should be one by \w+ over the message and is one by another key/,
    })
  }
})

// A caller's program, to be bundled: it is run on other runtimes than the tests' own, so it needs nothing of Node.
import { createClient, MismatchError, type TrustDocument } from '@svc/client'
import { rawSigner, solanaKeypair } from '@svc/client/signers'
import { evmThree } from '@svc/intent-evm-three'
import { svmNative } from '@svc/intent-svm-native'
import { SigningKey } from 'ethers'

export interface StakeInput {
  readonly trust: TrustDocument
  /** The same, of a caller who had agreed to another validator. */
  readonly elsewhere: TrustDocument
  readonly apiKey: string
  readonly evm: { readonly address: string; readonly privateKey: string }
  readonly svm: { readonly address: string; readonly secretKey: readonly number[] }
}

/** What the program found. */
export interface StakeResult {
  readonly monad: { readonly sentence: string; readonly sent: boolean; readonly activating: string | undefined }
  readonly solana: { readonly sentence: string; readonly assumed: readonly string[]; readonly sent: boolean }
  readonly refused: string
}

/** Pause between two looks, in milliseconds: a key may ask two hundred times in a minute. */
const PAUSE_MS = 500

/** Stakes on two chains, with both kinds of keys, and is refused on other terms than the pinned ones. */
export async function stake({ trust, elsewhere, apiKey, evm, svm }: StakeInput): Promise<StakeResult> {
  const protocols = { monad: evmThree, solana: svmNative }
  const svc = createClient({ trust, apiKey, protocols })
  const amount = '100.000000000000000001'

  const delegation = await svc.monad.delegate({ address: evm.address, amount })
  const key = new SigningKey(evm.privateKey)
  const delegated = await delegation.sign(rawSigner({ sign: async (hash) => key.sign(hash).serialized }))
  const monad = await svc.monad.send(delegated)
  // On a busy machine its block comes a moment after it was sent.
  while ((await svc.monad.status(monad.txHash)).block === null) await new Promise((done) => setTimeout(done, PAUSE_MS))
  const { activating } = await svc.monad.balance(evm.address)

  const staking = await svc.solana.stake({ wallet_address: svm.address, amount: '1.5' })
  const staked = await staking.sign(solanaKeypair({ secretKey: Uint8Array.from(svm.secretKey) }))
  const solana = await svc.solana.send(staked)

  const refused = await createClient({ trust: elsewhere, apiKey, protocols })
    .monad.delegate({ address: evm.address, amount })
    .then(
      () => 'nothing was refused',
      (error: unknown) => (error instanceof MismatchError ? error.message : String(error)),
    )
  return {
    monad: { sentence: delegation.sentence, sent: monad.txHash === delegated.txHash, activating: activating?.text },
    solana: {
      sentence: staking.sentence,
      assumed: staking.assumed.map(({ fact }) => fact),
      sent: solana.txHash === staked.txHash,
    },
    refused,
  }
}

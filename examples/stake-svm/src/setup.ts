import { base58 } from '@scure/base'
import { Keypair } from '@solana/web3.js'
import { connectChain } from './chain.ts'
import type { Journey } from './journey.ts'
import type { SandboxFile } from './sandbox-file.ts'
import { connect } from './service.ts'
import { heading, say } from './tell.ts'

/** Cluster of these journeys. */
const CLUSTER = 'mainnet-beta'
/** Most that a transaction may cost in fees, in lamports: 0.001 SOL. */
const MAX_FEE = 1_000_000n

/** Against the real service these are your API key, the operator's published key, your wallet and your own node. */
export function begin({ baseUrl, apiKey, publicKeyPem, controlUrl, wallets, chains }: SandboxFile, title: string, prefix: string): Journey {
  const id = `svm:${CLUSTER}`
  const journey: Journey = {
    service: connect({ baseUrl, prefix, apiKey, publicKeyPem }),
    chain: connectChain({ id, rpcUrl: chains[id]!.rpcUrl, controlUrl }),
    custody: { keypair: Keypair.fromSecretKey(base58.decode(wallets.svm[0]!.secretKey)), cluster: CLUSTER, maxFee: MAX_FEE },
    say,
  }
  heading(title)
  say(`service    ${baseUrl}${prefix}`)
  say(`wallet     ${journey.custody.keypair.publicKey.toBase58()}`)
  return journey
}

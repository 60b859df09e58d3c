import { Ed25519Keypair } from '@mysten/sui/keypairs/ed25519'
import type { MoveNetwork } from '@svc/verify'
import { connectChain } from './chain.ts'
import type { Journey } from './journey.ts'
import { Refused, type SandboxFile } from './sandbox-file.ts'
import { connect } from './service.ts'
import { heading, say } from './tell.ts'

/**
 * Network of the journey. Its identifier is the digest of its first checkpoint and never changes; the sandbox has that of the real one.
 *
 * @see https://mystenlabs.github.io/sui/sui_types/digests/constant.MAINNET_CHAIN_IDENTIFIER_BASE58.html (read 2026-11-21)
 */
const NETWORK: MoveNetwork = { chainId: 'mainnet', chainIdentifier: '4btiuiMPvEENsttpZC7CZ53DruC3MAgfznDbASZ7DR6S' }
/** Most that a transaction may cost in gas, in MIST: 0.05 SUI. */
const MAX_FEE = 50_000_000n

/** Against the real service these are your API key, the operator's published key, your wallet and your own node. @throws Refused */
export async function begin(sandbox: SandboxFile, title: string, prefix: string): Promise<Journey> {
  const { baseUrl, apiKey, publicKeyPem, controlUrl, wallets, chains } = sandbox
  const { chainId: network, chainIdentifier } = NETWORK
  const journey: Journey = {
    service: connect({ baseUrl, prefix, apiKey, publicKeyPem }),
    chain: connectChain({ network, rpcUrl: chains[`move:${network}`]!.rpcUrl, controlUrl }),
    custody: { keypair: Ed25519Keypair.fromSecretKey(wallets.move[0]!.secretKey), network: NETWORK, maxFee: MAX_FEE },
    say,
  }
  heading(title)
  say(`service    ${baseUrl}${prefix}`)
  say(`wallet     ${journey.custody.keypair.toSuiAddress()}`)
  const served = await journey.chain.identifier()
  if (served !== chainIdentifier) throw new Refused(`Your node serves ${served}, and ${network} is ${chainIdentifier}.`)
  return journey
}

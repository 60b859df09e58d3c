import type { Kit } from '@svc/contract'
import { decodeCosmos } from '@svc/verify'
import { accountAddress } from './address.ts'
import { assembleCosmos, type CosmosDraft, DECIMALS } from './assemble.ts'
import { broadcastCosmos } from './broadcast.ts'
import type { CosmosChain } from './chain.ts'
import { type CosmosClient, connectCosmos } from './client.ts'
import { type CosmosLifetime, cosmosLifetime } from './lifetime.ts'
import { nodeStatus } from './node-status.ts'
import { prepareCosmos } from './prepare.ts'
import { accountOf, PublicKey } from './public-key.ts'
import { type CosmosNetwork, cosmosSettings } from './settings.ts'
import { type CosmosWire, cosmosWire } from './wire.ts'

export type CosmosKit = Kit<CosmosClient, CosmosDraft, CosmosLifetime, CosmosWire>

/** The Cosmos family on one of its chains: SIGN_MODE_DIRECT, secp256k1 keys, one client a network. */
export function cosmos(chain: CosmosChain): CosmosKit {
  const { prefix, denom } = chain
  return {
    family: 'cosmos',
    type: 'COSMOS',
    decimals: DECIMALS,
    signer: 'pubkey',
    wire: cosmosWire(prefix, accountOf(prefix, (PublicKey as unknown as { examples: [string] }).examples[0]).address),
    network: cosmosSettings(chain),
    endpoints: 'rpc',
    address: (text) => accountAddress(prefix, text),
    connect: connectCosmos,
    close: ({ comet }) => comet.disconnect(),
    identify: async ({ client }) => (await nodeStatus(client)).chainId,
    lifetime: (ctx, signer) => cosmosLifetime(chain, ctx, signer),
    assemble: (ctx, draft, lifetime) => assembleCosmos(chain, ctx, draft, lifetime),
    decode: (unsigned, _expected, network, { accountNumber }) =>
      decodeCosmos(unsigned, {
        chainId: network.chainId,
        accountNumber: BigInt(accountNumber!),
        prefix,
        denom,
        memo: (network as CosmosNetwork).memo,
      }),
    prepare: (ctx, body) => prepareCosmos(chain, ctx, body),
    broadcast: (ctx, body) => broadcastCosmos(chain, ctx, body),
  }
}

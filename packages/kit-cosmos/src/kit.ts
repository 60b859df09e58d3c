import type { Kit } from '@svc/contract'
import { decodeCosmos } from '@svc/verify/cosmos'
import { inspectedCosmos } from '@svc/verify/cosmos/inspected'
import { BinaryWriter } from 'cosmjs-types/binary'
import { accountAddress } from './address.ts'
import { assembleCosmos, type CosmosDraft } from './assemble.ts'
import { broadcastCosmos } from './broadcast.ts'
import type { ChainKeys, CosmosChain } from './chain.ts'
import { type CosmosClient, connectCosmos } from './client.ts'
import { errorCodes } from './codes.ts'
import { requireKeys } from './keys.ts'
import type { CosmosReceipt } from './life/events.ts'
import { cosmosLife } from './life/index.ts'
import { cosmosNames, cosmosSent } from './names.ts'
import { chainOf } from './node-status.ts'
import { type CosmosPreflight, cosmosPreflight } from './preflight.ts'
import { prepareCosmos } from './prepare.ts'
import { accountOf, EXAMPLE_KEY } from './public-key.ts'
import { cosmosRequirements } from './requirements/kit.ts'
import { type CosmosSettings, cosmosSettings } from './settings.ts'
import { type CosmosMessageType, messageTypes } from './transaction.ts'
import { type CosmosWire, cosmosWire } from './wire.ts'

// Each message that is written takes a place of its length, and the library (cosmjs-types 0.11, binary.js, `BinaryWriter.alloc`; read 2026-11-29) makes a pool of 8 KiB anew for every single
// one, of which nothing else is ever taken.
BinaryWriter.alloc = (size) => new Uint8Array(size)

export type CosmosKit = Kit<CosmosClient, CosmosDraft, CosmosPreflight, CosmosWire, CosmosSettings, CosmosReceipt>

/**
 * Makes the kit of the Cosmos family for one of its chains: SIGN_MODE_DIRECT, keys of the chain's kind, one client a network.
 *
 * @param messages that its plugin crafts, beside those of native delegation
 * @throws TypeError for a chain that does not say which kind of key it has
 */
export function cosmos(chain: CosmosChain, messages: readonly CosmosMessageType[] = []): CosmosKit {
  requireKeys(chain)
  const types = messageTypes(messages)
  const { prefix, denom, decimals } = chain
  return {
    family: 'cosmos',
    type: 'COSMOS',
    decimals,
    caip2: ({ chainId }) => `cosmos:${chainId}`,
    signer: 'pubkey',
    wallet: (pubkey) => accountOf(chain, pubkey).address,
    wire: cosmosWire(chain, accountOf(chain, EXAMPLE_KEY).address),
    codes: errorCodes,
    network: cosmosSettings(chain),
    endpoints: 'rpc',
    agrees: true,
    address: (text) => accountAddress(prefix, text),
    connect: connectCosmos,
    identify: ({ client }) => chainOf(client),
    requirements: cosmosRequirements(chain),
    preflight: (ctx, signer) => cosmosPreflight(chain, ctx, signer),
    assemble: (ctx, draft, preflight) => assembleCosmos(chain, types, ctx, draft, preflight),
    decode(unsigned, { layouts }, network, { accountNumber }) {
      if (accountNumber === undefined) throw new TypeError('terms.accountNumber is missing; it is part of what is signed')
      const { chainId, memo } = network
      return decodeCosmos(unsigned, layouts, { chainId, accountNumber: BigInt(accountNumber), prefix, denom, memo, ...keysOf(chain) })
    },
    // Part of what is signed, and not of the bytes.
    stated: ({ accountNumber }) => ({ 'x-account-number': String(accountNumber) }),
    names: cosmosNames,
    sent: cosmosSent,
    risk: (call) => inspectedCosmos.inspected?.risk?.(call) ?? null,
    prepare: (ctx, body) => prepareCosmos(chain, types, ctx, body),
    broadcast: (ctx, body) => broadcastCosmos(chain, ctx, body),
    life: cosmosLife(chain),
  }
}

/** The kind of key as the reader is told it. */
function keysOf(chain: CosmosChain): ChainKeys {
  return chain.algorithm === 'ethsecp256k1' ? { algorithm: chain.algorithm, keyType: chain.keyType } : { algorithm: chain.algorithm }
}

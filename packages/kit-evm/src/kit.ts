import type { Kit } from '@svc/contract'
import { type Call, decodeEvm, type Value } from '@svc/verify'
import { checksumAddress } from './address.ts'
import { assembleEvm, type EvmDraft, type EvmLifetime, evmLifetime } from './assemble.ts'
import { broadcastEvm } from './broadcast.ts'
import { EvmClient } from './client.ts'
import { prepareEvm } from './prepare.ts'
import { evmSettings } from './settings.ts'
import { evmWire } from './wire.ts'

/** The EVM family: legacy transactions, one ethers provider a network. */
export const evm: Kit<EvmClient, EvmDraft, EvmLifetime, typeof evmWire> = {
  family: 'evm',
  type: 'ETHEREUM',
  decimals: 18,
  signer: 'address',
  wire: evmWire,
  network: evmSettings,
  endpoints: 'rpc',
  address: checksumAddress,
  connect: (network, io) => new EvmClient(network, io),
  close: (client) => client.destroy(),
  identify: async ({ client }) => (await client.quantity('eth_chainId', [])).toString(),
  lifetime: evmLifetime,
  assemble: assembleEvm,
  decode: (unsigned, expected) =>
    decodeEvm(
      unsigned,
      expected.calls.map((call) => call.method),
    ),
  prepare: prepareEvm,
  broadcast: broadcastEvm,
}

/**
 * A promised contract call, for an action's `effects`.
 *
 * @param method with named parameters: `undelegate(uint64 validator, uint256 amount, uint8 slot)`
 * @param args by those names
 * @param value wei sent along
 */
export function call(target: string, method: string, args: Readonly<Record<string, Value>>, value = 0n): Call {
  return { target, method, args, value }
}

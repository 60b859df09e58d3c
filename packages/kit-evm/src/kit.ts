import type { Kit } from '@svc/contract'
import { decodeEvm } from '@svc/verify/evm'
import { inspectedEvm } from '@svc/verify/evm/inspected'
import { checksumAddress } from './address.ts'
import { readQuantity } from './answer.ts'
import { assembleEvm, type EvmDraft } from './assemble.ts'
import { broadcastEvm } from './broadcast.ts'
import { EvmClient } from './client.ts'
import { errorCodes } from './codes.ts'
import { evmLife } from './life/life.ts'
import type { EvmReceipt } from './life/receipt.ts'
import { evmNames } from './names.ts'
import { type EvmPreflight, evmPreflight } from './preflight.ts'
import { prepareEvm } from './prepare.ts'
import { evmRequirements } from './requirements.ts'
import { evmSent } from './sent.ts'
import { type EvmSettings, evmSettings } from './settings.ts'
import { evmWire } from './wire.ts'

/** Kit of the EVM family: legacy transactions, one ethers provider a network. */
export const evm: Kit<EvmClient, EvmDraft, EvmPreflight, typeof evmWire, EvmSettings, EvmReceipt> = {
  family: 'evm',
  type: 'ETHEREUM',
  decimals: 18,
  caip2: ({ chainId }) => `eip155:${chainId}`,
  signer: 'address',
  wire: evmWire,
  codes: errorCodes,
  network: evmSettings,
  endpoints: 'rpc',
  agrees: true,
  address: checksumAddress,
  connect: (network, io) => new EvmClient(network, io),
  close: (client) => client.destroy(),
  identify: async ({ client }) => (await client.ask('eth_chainId', [], (answer) => readQuantity(answer), 'not')).toString(),
  preflight: evmPreflight,
  assemble: assembleEvm,
  decode: (unsigned, expected) =>
    decodeEvm(
      unsigned,
      expected.calls.map((call) => call.method),
    ),
  names: evmNames,
  sent: evmSent,
  risk: (call) => inspectedEvm.inspected?.risk?.(call) ?? null,
  prepare: prepareEvm,
  broadcast: broadcastEvm,
  life: evmLife,
  requirements: evmRequirements,
}

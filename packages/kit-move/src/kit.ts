import type { Kit } from '@svc/contract'
import { decodeMove } from '@svc/verify/move'
import { inspectedMove } from '@svc/verify/move/inspected'
import { canonicalAddress } from './address.ts'
import { assembleMove, type MoveDraft } from './assemble.ts'
import { broadcastMove } from './broadcast.ts'
import { connectMove, identifyMove, type MoveClient } from './client.ts'
import { errorCodes } from './codes.ts'
import { moveLife } from './life/index.ts'
import type { MoveReceipt } from './life/receipt.ts'
import { moveNames, moveSent } from './names.ts'
import { prepareMove } from './prepare.ts'
import { moveRequirements } from './requirements.ts'
import { DECIMALS, identifierOf, type MoveSettings, moveSettings } from './settings.ts'
import { type MoveWire, moveWire } from './wire.ts'

export type MoveKit = Kit<MoveClient, MoveDraft, void, MoveWire, MoveSettings, MoveReceipt>

/** Kit of Sui, of the Move family: programmable transactions over gRPC, one client a network. */
export const move: MoveKit = {
  family: 'move',
  type: 'SUI',
  decimals: DECIMALS,
  // Of a coin: a u64. https://docs.sui.io/references/framework/sui_sui/balance (read 2026-11-22)
  mostUnits: 2n ** 64n - 1n,
  symbol: 'SUI',
  caip2: ({ chainId }) => `sui:${chainId}`,
  terms: (network) => ({ chain_identifier: identifierOf(network) }),
  signer: 'wallet_address',
  wire: moveWire,
  codes: errorCodes,
  network: moveSettings,
  endpoints: 'rpc',
  agrees: true,
  address: canonicalAddress,
  connect: connectMove,
  identify: identifyMove,
  // The node that completes the bytes is asked for its own state in the same exchange.
  preflight: async () => undefined,
  assemble: assembleMove,
  decode: (unsigned, { calls }, network) =>
    decodeMove(unsigned, calls, { chainId: network.chainId, chainIdentifier: identifierOf(network) }),
  names: moveNames,
  sent: moveSent,
  risk: (call) => inspectedMove.inspected?.risk?.(call) ?? null,
  prepare: prepareMove,
  broadcast: broadcastMove,
  life: moveLife,
  requirements: moveRequirements,
}

import type { Kit } from '@svc/contract'
import { decodeMove } from '@svc/verify'
import { canonicalAddress } from './address.ts'
import { assembleMove, type MoveDraft } from './assemble.ts'
import { broadcastMove } from './broadcast.ts'
import { connectMove, identifyMove, type MoveClient, requireLiveNode } from './client.ts'
import { prepareMove } from './prepare.ts'
import { DECIMALS, identifierOf, moveSettings } from './settings.ts'
import { type MoveWire, moveWire } from './wire.ts'

export type MoveKit = Kit<MoveClient, MoveDraft, void, MoveWire>

/** The Move family: programmable transactions over gRPC, one client a network. */
export const move: MoveKit = {
  family: 'move',
  type: 'SUI',
  decimals: DECIMALS,
  signer: 'wallet_address',
  wire: moveWire,
  network: moveSettings,
  endpoints: 'rpc',
  address: canonicalAddress,
  connect: connectMove,
  identify: identifyMove,
  // Nothing of it goes into the bytes, since the node resolves them; it travels beside that call.
  lifetime: requireLiveNode,
  assemble: assembleMove,
  decode: (unsigned, expected, network) =>
    decodeMove(unsigned, expected, { chainId: network.chainId, chainIdentifier: identifierOf(network) }),
  prepare: prepareMove,
  broadcast: broadcastMove,
}

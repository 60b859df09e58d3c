import { decodeNear } from '@example/intent-near-pool'
import { type Kit, membersOf } from '@svc/contract'
import { nearAccount } from './account.ts'
import { assembleNear, HEIGHT, type NearDraft } from './assemble.ts'
import { broadcastNear } from './broadcast.ts'
import { connectNear, type NearClient } from './client.ts'
import { errorCodes } from './codes.ts'
import { nearLife } from './life/index.ts'
import type { NearReceipt } from './life/look.ts'
import { type NearPreflight, nearPreflight } from './preflight.ts'
import { nearRequirements } from './requirements.ts'
import { type NearSettings, nearSettings } from './settings.ts'
import { nearNames, nearSent, prepareNear } from './signed.ts'
import { type NearWire, nearWire } from './wire.ts'

/** The NEAR family: one function call a transaction, Ed25519 keys, one client a network. */
export const near: Kit<NearClient, NearDraft, NearPreflight, NearWire, NearSettings, NearReceipt> = {
  family: 'near',
  type: 'NEAR',
  // https://docs.near.org/protocol/network/token (read 2026-11-23)
  decimals: 24,
  symbol: 'NEAR',
  // No namespace of NEAR is registered with CASA as far as could be found; the reference is what `status` calls the chain.
  caip2: ({ chainId }) => `near:${chainId}`,
  signer: 'account_id',
  wire: nearWire,
  codes: errorCodes,
  network: nearSettings,
  endpoints: 'rpc',
  address: nearAccount,
  connect: connectNear,
  identify: ({ client }) => client.rpc.call('status', [], (result) => String(membersOf(result).chain_id), 'not'),
  preflight: nearPreflight,
  assemble: assembleNear,
  decode(unsigned, { layouts }, _network, terms) {
    const decoded = decodeNear(unsigned, layouts)
    const { [HEIGHT]: height } = terms
    // No byte says it: it goes along for whoever says until when a craft can land.
    return height === undefined ? decoded : { ...decoded, terms: { ...decoded.terms, [HEIGHT]: height } }
  },
  names: nearNames,
  sent: nearSent,
  prepare: prepareNear,
  broadcast: broadcastNear,
  life: nearLife,
  requirements: nearRequirements,
}

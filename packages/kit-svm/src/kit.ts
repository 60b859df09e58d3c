import type { Kit } from '@svc/contract'
import { decodeSvm } from '@svc/verify'
import { svmAddress } from './address.ts'
import { assembleSvm, type SvmDraft } from './assemble.ts'
import { broadcastSvm } from './broadcast.ts'
import { connectSvm, type SvmClient } from './client.ts'
import { clusterOf } from './clusters.ts'
import { DECIMALS } from './decimals.ts'
import { type SvmLifetime, svmLifetime } from './lifetime.ts'
import { prepareSvm } from './prepare.ts'
import { svmSettings } from './settings.ts'
import { type SvmWire, svmWire } from './wire.ts'

/** The Solana family: legacy transactions, ed25519 keys, one client a network. */
export const svm: Kit<SvmClient, SvmDraft, SvmLifetime, SvmWire> = {
  family: 'svm',
  type: 'SOLANA',
  decimals: DECIMALS,
  signer: 'wallet_address',
  wire: svmWire,
  network: svmSettings,
  endpoints: 'rpc',
  address: svmAddress,
  connect: connectSvm,
  identify: clusterOf,
  lifetime: svmLifetime,
  assemble: assembleSvm,
  decode(unsigned, expected) {
    // The stake pool program has another address on each cluster; what is promised says which one is meant.
    const pool = expected.calls.find(({ method }) => method.startsWith('StakePool.'))
    return decodeSvm(unsigned, pool ? { stakePool: pool.target } : {})
  },
  prepare: prepareSvm,
  broadcast: broadcastSvm,
}

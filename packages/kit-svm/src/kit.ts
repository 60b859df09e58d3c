import type { Kit } from '@svc/contract'
import { decodeSvm } from '@svc/verify/svm'
import { inspectedSvm } from '@svc/verify/svm/inspected'
import { svmAddress } from './address.ts'
import { assembleSvm } from './assemble.ts'
import { broadcastSvm } from './broadcast.ts'
import { connectSvm, type SvmClient } from './client.ts'
import { errorCodes } from './codes.ts'
import { DECIMALS } from './decimals.ts'
import type { SvmDraft } from './draft.ts'
import { withLastHeight } from './last-height.ts'
import { svmLife } from './life/index.ts'
import type { SvmReceipt } from './life/receipt.ts'
import { caip2Of, clusterOf } from './liveness.ts'
import { svmNames, svmSent } from './names.ts'
import { type SvmPreflight, svmPreflight } from './preflight.ts'
import { prepareSvm } from './prepare.ts'
import { svmRequirements } from './requirements.ts'
import { type SvmSettings, svmSettings } from './settings.ts'
import { type SvmWire, svmWire } from './wire.ts'

/** The Solana family: legacy transactions, ed25519 keys, one client a network. */
export const svm: Kit<SvmClient, SvmDraft, SvmPreflight, SvmWire, SvmSettings, SvmReceipt> = {
  family: 'svm',
  type: 'SOLANA',
  decimals: DECIMALS,
  // Accounts hold a u64; half of it leaves room for the rent on top, and is more than ten times all the lamports that there are.
  // https://solana.com/docs/rpc/http/getsupply (read 2026-11-22)
  mostUnits: 2n ** 63n - 1n,
  symbol: 'SOL',
  caip2: caip2Of,
  signer: 'wallet_address',
  wire: svmWire,
  codes: errorCodes,
  network: svmSettings,
  endpoints: 'rpc',
  agrees: true,
  address: svmAddress,
  connect: connectSvm,
  identify: clusterOf,
  preflight: svmPreflight,
  assemble: assembleSvm,
  decode: (unsigned, { layouts }, _network, terms) => withLastHeight(decodeSvm(unsigned, layouts), terms),
  names: svmNames,
  sent: svmSent,
  risk: (call) => inspectedSvm.inspected?.risk?.(call) ?? null,
  prepare: prepareSvm,
  broadcast: broadcastSvm,
  life: svmLife,
  requirements: svmRequirements,
}
